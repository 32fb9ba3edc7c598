/** The providers' uptime, latency, errors and incidents in the project's own calls of the last day or week. */

import { DASH, milliseconds, number, percent, plural, when } from "../../format.ts";
import { Segmented } from "../../parts/controls.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { Note } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { Prose } from "../../parts/prose.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { apiPath, mode, project } from "../../state.ts";
import { useGet } from "../../use-load.ts";
import type { ProviderFigures, ProviderMetrics } from "../../wire.ts";

const RANGES = [
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
];

export const ProviderHistory = () => {
  const hours = RANGES.find(({ value }) => value === queryOf("hours"))?.value ?? "24";
  const history = useGet<ProviderMetrics>(apiPath(`/v1/metrics/providers?hours=${hours}`));
  const { data } = history;
  const rows = Object.entries(data?.providers ?? {}).filter(([, figures]) => figures.total_attempts > 0);
  return (
    <Card
      flush
      busy={history.loading && data !== null}
      title="Provider history"
      note={`In the ${mode.value} calls of ${project.value!.name}.${mode.value === "test" ? " The sandbox stood in for each of them." : ""}`}
      actions={<Segmented label="Range" value={hours} options={RANGES} onChange={(value) => setQuery({ hours: value })} />}
    >
      <Pending of={history} height={160} />
      {data && rows.length === 0 && <p class="muted card-text">No provider was called in this time.</p>}
      {rows.length > 0 && (
        <Table class="stacked" label="Provider history" columns={COLUMNS} rows={rows} keyOf={([name]) => name} />
      )}
      {data && data.recommendations.length > 0 && (
        <div class="stack tight card-text">
          {data.recommendations.map((advice) => (
            <Note key={advice.provider + advice.action} tone="amber">
              <strong>{advice.provider}</strong>: {advice.message} <Prose text={advice.action} />
            </Note>
          ))}
        </div>
      )}
    </Card>
  );
};

const COLUMNS: Column<[name: string, figures: ProviderFigures]>[] = [
  { head: "Provider", class: "name", cell: ([name]) => name },
  { head: "Uptime", class: "number", cell: ([, { uptime }]) => percent(uptime) },
  { head: "Mean", class: "number", cell: ([, { avg_latency_ms }]) => milliseconds(avg_latency_ms) },
  { head: "p95", class: "number", cell: ([, { p95_latency_ms }]) => milliseconds(p95_latency_ms) },
  { head: "p99", class: "number", cell: ([, { p99_latency_ms }]) => milliseconds(p99_latency_ms) },
  { head: "Errors", class: "number", cell: ([, { error_rate }]) => percent(error_rate) },
  { head: "Rate limits", class: "number", cell: ([, { rate_limit_hits }]) => number(rate_limit_hits) },
  { head: "Calls made", class: "number", cell: ([, { total_attempts }]) => number(total_attempts) },
  { head: "Incidents", cell: ([, { incidents }]) => <Incidents incidents={incidents} /> },
];

const Incidents = ({ incidents }: Pick<ProviderFigures, "incidents">) => {
  const last = incidents.at(-1);
  if (last === undefined) return <span class="muted">{DASH}</span>;
  return (
    <>
      <Badge tone="amber">{plural(incidents.length, "incident")}</Badge>{" "}
      <span class="small muted nowrap">last {when(last.started_at)}</span>
    </>
  );
};
