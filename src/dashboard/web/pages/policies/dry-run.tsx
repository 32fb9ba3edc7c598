/** A dry run: what a policy would have done to past calls. */

import { call } from "../../api.ts";
import { ago, plural } from "../../format.ts";
import { Lamp } from "../../parts/lamp.tsx";
import { Problem } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { RESULTS } from "../../parts/policy-verdict.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { hrefTo } from "../../router.ts";
import { apiPath, mode } from "../../state.ts";
import { useSubmit } from "../../use-submit.ts";
import type { DryRun, PolicyConfig } from "../../wire.ts";

type Touched = DryRun["calls"][number];

const LATEST_CALLS = 500;

export const DryRunCard = ({ type, config }: { type: string; config: PolicyConfig }) => {
  const { busy, failure, result, submit } = useSubmit(() =>
    call<DryRun>("POST", apiPath("/v1/policies/dry-run"), { policy_type: type, config, last_n: LATEST_CALLS }),
  );
  return (
    <Card
      title="Dry run"
      note={`What this policy would have done to the latest ${LATEST_CALLS} ${mode.value} calls${type === "routing" ? ", at the cost and latency they really had" : ""}. Nothing is changed.`}
      busy={busy}
      actions={
        <button type="button" class="button" onClick={submit} disabled={busy}>
          {result ? "Run again" : "Run"}
        </button>
      }
    >
      <div class="stack dry-run">
        {failure && <Problem failure={failure} />}
        <div class="stack" role="status">
          {result === null && !failure && <p class="muted">Press Run to see it on your own calls before you save.</p>}
          {result && result.calls_evaluated === 0 && (
            <p class="muted">There are no calls to try it on yet, or their texts are not stored.</p>
          )}
          {result && result.calls_evaluated > 0 && <Outcome run={result} />}
        </div>
        {result && result.calls.length > 0 && (
          <Table
            class="small compared"
            label="Calls it would have touched"
            columns={TOUCHED}
            rows={result.calls}
            keyOf={({ call_id }) => call_id}
          />
        )}
      </div>
    </Card>
  );
};

const Outcome = ({ run }: { run: DryRun }) => {
  const changed = run.calls_evaluated - (run.results["allow"] ?? 0);
  return (
    <>
      <p>
        Of {plural(run.calls_evaluated, "call")},{" "}
        {changed === 0 ? "none would have changed." : `${changed} would not have gone the same way:`}
      </p>
      <ul class="stack tight checklist">
        {Object.entries(RESULTS)
          .filter(([result]) => (run.results[result] ?? 0) > 0)
          .map(([result, { tone, would }]) => (
            <li key={result}>
              <Lamp tone={tone}>{would}</Lamp>
              <strong>{run.results[result]}</strong>
            </li>
          ))}
      </ul>
    </>
  );
};

const TOUCHED: Column<Touched>[] = [
  {
    head: "When",
    class: "nowrap",
    cell: ({ call_id, timestamp }) => <a href={hrefTo("calls", call_id)}>{ago(timestamp)}</a>,
  },
  { head: "Model", cell: ({ model }) => model },
  { head: "Why", class: "name", cell: (touched) => why(touched) },
];

const why = ({ violations = [], found = {} }: Touched): string =>
  [
    ...violations.map(({ message }) => message),
    ...Object.entries(found).map(([type, count]) => `${count} × ${type.replaceAll("_", " ")}`),
  ].join(" ");
