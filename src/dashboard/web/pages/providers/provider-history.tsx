/** The providers' uptime, latency, errors and incidents in the project's own calls of the last day or week. */

import { get } from "../../api.ts";
import { DASH, milliseconds, number, percent, plural, when } from "../../format.ts";
import { Segmented } from "../../parts/controls.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { Note, Problem, Skeleton } from "../../parts/notice.tsx";
import { Card, Scroll } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { apiPath, mode, project } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { ProviderFigures, ProviderMetrics } from "../../wire.ts";

const RANGES = [
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
];

export const ProviderHistory = () => {
  const hours = RANGES.find(({ value }) => value === queryOf("hours"))?.value ?? "24";
  const { data, failure, loading, reload } = useLoad(`history ${hours}`, (signal) =>
    get<ProviderMetrics>(apiPath(`/v1/metrics/providers?hours=${hours}`), signal),
  );
  const rows = Object.entries(data?.providers ?? {}).filter(([, figures]) => figures.total_attempts > 0);
  return (
    <Card
      flush
      busy={loading && data !== null}
      title="Provider history"
      note={`In the ${mode.value} calls of ${project.value!.name}.${mode.value === "test" ? " The sandbox stood in for each of them." : ""}`}
      actions={<Segmented label="Range" value={hours} options={RANGES} onChange={(value) => setQuery({ hours: value })} />}
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={160} />}
      {data && rows.length === 0 && <p class="muted card-text">No provider was called in this time.</p>}
      {rows.length > 0 && <HistoryTable rows={rows} />}
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

const HistoryTable = ({ rows }: { rows: [string, ProviderFigures][] }) => (
  <Scroll label="Provider history">
    <table class="stacked">
      <thead>
        <tr>
          <th>Provider</th>
          <th class="number">Uptime</th>
          <th class="number">Mean</th>
          <th class="number">p95</th>
          <th class="number">p99</th>
          <th class="number">Errors</th>
          <th class="number">Rate limits</th>
          <th class="number">Calls made</th>
          <th>Incidents</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, figures]) => (
          <tr key={name}>
            <td class="name">{name}</td>
            <td data-label="Uptime" class="number">
              {percent(figures.uptime)}
            </td>
            <td data-label="Mean" class="number">
              {milliseconds(figures.avg_latency_ms)}
            </td>
            <td data-label="p95" class="number">
              {milliseconds(figures.p95_latency_ms)}
            </td>
            <td data-label="p99" class="number">
              {milliseconds(figures.p99_latency_ms)}
            </td>
            <td data-label="Errors" class="number">
              {percent(figures.error_rate)}
            </td>
            <td data-label="Rate limits" class="number">
              {number(figures.rate_limit_hits)}
            </td>
            <td data-label="Calls made" class="number">
              {number(figures.total_attempts)}
            </td>
            <td data-label="Incidents">
              <Incidents figures={figures} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);

const Incidents = ({ figures }: { figures: ProviderFigures }) => {
  const last = figures.incidents.at(-1);
  if (last === undefined) return <span class="muted">{DASH}</span>;
  return (
    <>
      <Badge tone="amber">{plural(figures.incidents.length, "incident")}</Badge>{" "}
      <span class="small muted nowrap">last {when(last.started_at)}</span>
    </>
  );
};
