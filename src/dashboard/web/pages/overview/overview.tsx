/** The project's overview: key figures, days, models and tasks, all linked to their calls. */

import { get } from "../../api.ts";
import { milliseconds, percent, short, usd } from "../../format.ts";
import { Segmented } from "../../parts/controls.tsx";
import { Bars, Figure } from "../../parts/figures.tsx";
import { Empty, Problem } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/pending.tsx";
import { hrefTo, queryOf, setQuery } from "../../router.ts";
import { apiPath, hasProvider, mode } from "../../state.ts";
import { FRESH_FOR_MS, useEvery, useLoad } from "../../use-load.ts";
import type { DailyFigures, MetricsCustomer, MetricsOverview, MetricsPerformance } from "../../wire.ts";
import { Advice } from "./advice.tsx";
import { ByDay } from "./by-day.tsx";
import { ByModel } from "./by-model.tsx";
import { Failures } from "./failures.tsx";
import { MonthCost } from "./month-cost.tsx";

const RANGES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
];

type Everything = Awaited<ReturnType<typeof load>>;

const load = async (days: string, signal: AbortSignal) => {
  const [overview, customer, daily, performance] = await Promise.all([
    get<MetricsOverview>(apiPath(`/v1/metrics/overview?days=${days}`), signal),
    get<MetricsCustomer>(apiPath(`/v1/metrics/customer?days=${days}`), signal),
    get<{ daily_data: DailyFigures[] }>(apiPath(`/v1/metrics/daily?days=${days}`), signal),
    get<MetricsPerformance>(apiPath(`/v1/metrics/performance?days=${days}`), signal),
  ]);
  return { overview, customer, daily: daily.daily_data, performance };
};

export const Overview = () => {
  const days = RANGES.find(({ value }) => value === queryOf("days"))?.value ?? "30";
  const { data, failure, reload } = useLoad(`overview ${days}`, (signal) => load(days, signal));
  useEvery(FRESH_FOR_MS, reload);
  return (
    <Page
      title="Overview"
      lead={
        mode.value === "test"
          ? "Calls of test keys. The sandbox answered them, at the prices of the catalog; nothing was paid."
          : "Calls of live keys."
      }
      actions={
        <Segmented
          label="Range"
          value={days}
          options={RANGES}
          onChange={(value) => setQuery({ days: value }, { replace: false })}
        />
      }
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && (
        <>
          <Skeleton height={92} />
          <Skeleton height={296} />
          <Skeleton height={240} />
        </>
      )}
      {data &&
        (data.overview.summary.total_calls === 0 ? (
          <NoCalls />
        ) : (
          <Figures data={data} busy={data.overview.period.days !== Number(days)} />
        ))}
    </Page>
  );
};

const NoCalls = () => (
  <Card>
    <Empty title="No calls yet">
      {mode.value === "live" && !hasProvider.value ? (
        <p>Live calls need a provider. Until one is set up, switch to Test on the left: the sandbox answers for free.</p>
      ) : (
        <p>
          Cost, latency, quality and what was saved appear here with the first call. The next step is a key and a call that works
          as pasted.
        </p>
      )}
      <div class="row">
        <a class="button primary" href={hrefTo("start")}>
          Make the first call
        </a>
        <a class="button" href={hrefTo("playground")}>
          Open the playground
        </a>
      </div>
    </Empty>
  </Card>
);

const aDay = (calls: number): string => (calls < 1 ? "less than one a day" : `${short(calls)} a day`);

const callsNote = ({ summary: { total_calls, cache_hits, cache_saved_usd }, period }: MetricsOverview): string =>
  cache_hits === 0 ? aDay(total_calls / period.days) : `${short(cache_hits)} from the cache, saving ${usd(cache_saved_usd)}`;

/** Null if there was no chat. */
const savingsNote = (percentage: number | null): string =>
  percentage === null ? "no chat to compare yet" : `${Math.round(percentage)} % of what chat would cost with one large model`;

const Figures = ({ data, busy }: { data: Everything; busy: boolean }) => {
  const { period, summary, routing, models, task_distribution } = data.overview;
  const saved = data.customer.cost_analysis.vs_gpt4o_only;
  const { projected_month_end } = data.customer.cost_analysis;
  const since = { start_date: period.start_date };
  return (
    <>
      <div class={`figures ${busy ? "busy" : ""}`}>
        <Figure
          name="Calls"
          value={short(summary.total_calls)}
          note={callsNote(data.overview)}
          href={hrefTo("calls", null, since)}
        />
        <Figure
          name="Cost"
          value={usd(summary.total_cost_usd)}
          note={`about ${usd(projected_month_end)} this whole month`}
          href={hrefTo("calls", null, { ...since, sort_by: "cost" })}
        />
        <Figure
          name="Saved"
          value={usd(saved.savings_usd)}
          note={savingsNote(saved.savings_percentage)}
          href={hrefTo("calls", null, { ...since, sort_by: "tokens" })}
        />
        <Figure
          name="Latency, on average"
          value={milliseconds(summary.avg_latency_ms)}
          note="see the slowest"
          href={hrefTo("calls", null, { ...since, sort_by: "latency" })}
        />
        <Figure
          name="Success"
          value={percent(summary.success_rate)}
          note={`${percent(routing.retry_rate)} retried, ${percent(routing.fallback_rate)} fell back`}
          href={hrefTo("calls", null, { ...since, failed_only: true })}
        />
      </div>
      <ByDay daily={data.daily} busy={busy} />
      <div class="columns">
        <Card title="By model" busy={busy} note="Number of calls, and mean cost of a call">
          <ByModel models={models} since={since} />
        </Card>
        <Card title="By task" busy={busy} note="What the prompts asked for">
          <Bars
            items={Object.entries(task_distribution)
              .sort((a, b) => b[1] - a[1])
              .map(([name, share]) => ({
                name,
                value: share,
                text: percent(share, 0),
                href: hrefTo("calls", null, { ...since, task_type: name }),
              }))}
          />
        </Card>
      </div>
      <MonthCost />
      <Failures days={String(period.days)} logged={models} />
      <Advice performance={data.performance} busy={busy} />
    </>
  );
};
