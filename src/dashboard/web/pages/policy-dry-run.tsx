/** What a policy would have done to past calls, before it does anything to the next. */

import { useState } from "preact/hooks";
import type { DryRun } from "../../wire.ts";
import { call, type Failure } from "../api.ts";
import { ago, plural } from "../format.ts";
import { Lamp, type Tone } from "../parts/lamp.tsx";
import { Problem } from "../parts/notice.tsx";
import { Card, Scroll } from "../parts/page.tsx";
import { hrefTo } from "../router.ts";
import { mode, project } from "../state.ts";
import type { Config } from "./policy-config.ts";

const OUTCOMES: [keyof DryRun["counts"], Tone, string][] = [
  ["allow", "green", "untouched"],
  ["warn", "amber", "with a warning"],
  ["soft_block", "amber", "answered by another model"],
  ["redact", "amber", "redacted"],
  ["hard_block", "red", "refused"],
  ["block", "red", "blocked"],
];

export const DryRunCard = ({ type, config }: { type: string; config: Config }) => {
  const [run, setRun] = useState<DryRun | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      setRun(
        await call<DryRun>("POST", `/projects/${project.value!.id}/${mode.value}/policy-dry-run`, { policy_type: type, config }),
      );
      setFailure(null);
    } catch (error) {
      setFailure(error as Failure);
    }
    setBusy(false);
  };
  return (
    <Card
      title="Dry run"
      note={`What this policy would have done to the latest ${mode.value} calls of the last 30 days. Nothing is changed.`}
      busy={busy}
      actions={
        <button type="button" class="button" onClick={start} disabled={busy}>
          {run ? "Run again" : "Run"}
        </button>
      }
    >
      <div class="stack dry-run">
        {failure && <Problem failure={failure} />}
        {run === null && !failure && <p class="muted">Press Run to see it on your own calls before you save.</p>}
        {run && run.calls === 0 && <p class="muted">There are no calls to try it on yet.</p>}
        {run && run.calls > 0 && (
          <>
            <p>
              Of {plural(run.calls, "call")},{" "}
              {run.calls - run.counts.allow === 0
                ? "none would have changed."
                : `${run.calls - run.counts.allow} would not have gone the same way:`}
            </p>
            <ul class="checklist">
              {OUTCOMES.filter(([outcome]) => run.counts[outcome] > 0).map(([outcome, tone, words]) => (
                <li key={outcome}>
                  <Lamp tone={tone}>{words}</Lamp>
                  <strong>{run.counts[outcome]}</strong>
                </li>
              ))}
            </ul>
            {run.touched.length > 0 && (
              <Scroll label="Calls it would have touched">
                <table class="small">
                  <tbody>
                    {run.touched.map((touched) => (
                      <tr key={touched.call_id}>
                        <td class="nowrap muted">{ago(touched.timestamp)}</td>
                        <td class="prompt">
                          <a class="row-link clip" href={hrefTo("calls", touched.call_id)}>
                            {touched.prompt ?? touched.call_id}
                          </a>
                          <span class="muted">{touched.why}</span>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
          </>
        )}
      </div>
    </Card>
  );
};
