/** What went wrong in the period, by kind and by model, and what would help. Shown only if something did. */

import { number, percent, plural } from "../../format.ts";
import { type BarItem, Bars } from "../../parts/figures.tsx";
import { Note, Problem } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { hrefTo } from "../../router.ts";
import { apiPath } from "../../state.ts";
import { FRESH_FOR_MS, useEvery, useGet } from "../../use-load.ts";
import type { MetricsFailures, MetricsOverview } from "../../wire.ts";

const MOST = 6;

type Props = { days: string; logged: MetricsOverview["models"] };

/** `logged`: the models by which the log finds calls of the period. One that was only a failed fallback is not among them. */
export const Failures = ({ days, logged }: Props) => {
  const { data, failure, loading, reload } = useGet<MetricsFailures>(apiPath(`/v1/metrics/failures?days=${days}`));
  useEvery(FRESH_FOR_MS, reload);
  if (failure) return <Problem failure={failure} retry={reload} />;
  if (data === null || data.summary.total_failures === 0) return null;
  return (
    <Card
      title="What went wrong"
      note="Retries, fallbacks, answers that failed their checks, and errors, also where the caller noticed nothing."
      busy={loading && data.period.days !== Number(days)}
    >
      <div class="stack">
        <Summary {...data.summary} since={data.period.start_date} />
        <div class="columns">
          <ByKind kinds={data.by_failure_mode} />
          <ByModel models={data.by_model} logged={logged} since={data.period.start_date} />
        </div>
        {data.mitigation_recommendations.map(({ issue, recommendation, expected_improvement }) => (
          <Note key={issue}>
            <strong>{issue}</strong>
            <p>
              <Prose text={recommendation} />
            </p>
            <p class="small">{expected_improvement}</p>
          </Note>
        ))}
      </div>
    </Card>
  );
};

const Summary = ({
  total_failures,
  failure_rate,
  retries_succeeded,
  fallback_succeeded,
  unrecoverable,
  since,
}: MetricsFailures["summary"] & { since: string }) => (
  <p>
    {plural(total_failures, "call")} ({percent(failure_rate)}): {number(retries_succeeded)} put right by{" "}
    <a href={hrefTo("calls", null, { start_date: since, min_retry_count: 1 })}>a retry</a>, {number(fallback_succeeded)} by{" "}
    <a href={hrefTo("calls", null, { start_date: since, fallback_used: true })}>a fallback</a>, {number(unrecoverable)} not.
    {unrecoverable > 0 && (
      <>
        {" "}
        See <a href={hrefTo("calls", null, { start_date: since, failed_only: true })}>those that ended in an error</a>.
      </>
    )}
  </p>
);

const ByKind = ({ kinds }: { kinds: MetricsFailures["by_failure_mode"] }) => (
  <Ranking
    title="By kind"
    none="No answer failed its checks."
    items={Object.entries(kinds).map(([name, { count }]) => ({
      name: name.replaceAll("_", " "),
      value: count,
      text: number(count),
    }))}
  />
);

type ByModelProps = { models: MetricsFailures["by_model"]; logged: MetricsOverview["models"]; since: string };

const ByModel = ({ models, logged, since }: ByModelProps) => (
  <Ranking
    title="By model"
    none="No model was at fault."
    items={Object.entries(models).map(([name, { failures, failure_rate, total_calls }]) => ({
      name,
      value: failures,
      text: `${number(failures)} of ${number(total_calls)} · ${percent(failure_rate)}`,
      ...(Object.hasOwn(logged, name) && { href: hrefTo("calls", null, { start_date: since, model: name }) }),
    }))}
  />
);

const Ranking = ({ title, none, items }: { title: string; none: string; items: BarItem[] }) => {
  const found = items.filter(({ value }) => value > 0).sort((a, b) => b.value - a.value);
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      {found.length === 0 && <p class="muted">{none}</p>}
      <Bars items={found.slice(0, MOST)} />
    </div>
  );
};
