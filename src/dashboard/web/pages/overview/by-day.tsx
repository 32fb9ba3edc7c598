/** A chart of calls, cost, latency or success by day; a day leads to its calls. */

import { useMemo } from "preact/hooks";
import { milliseconds, percent, short, usd } from "../../format.ts";
import { Chart, type Series } from "../../parts/chart.tsx";
import { Segmented } from "../../parts/controls.tsx";
import { Card } from "../../parts/page.tsx";
import { go, hrefTo, queryOf, setQuery } from "../../router.ts";
import type { DailyFigures } from "../../wire.ts";

const SERIES: Record<string, { label: string; make: (daily: DailyFigures[]) => Series }> = {
  calls: {
    label: "Calls",
    make: (daily) => ({
      name: "Calls",
      tone: "slate",
      bars: true,
      whole: true,
      values: daily.map((day) => day.total_calls),
      format: short,
    }),
  },
  cost: {
    label: "Cost",
    make: (daily) => ({ name: "Cost", tone: "accent", bars: true, values: daily.map((day) => day.total_cost_usd), format: usd }),
  },
  latency: {
    label: "Latency",
    make: (daily) => ({
      name: "Latency",
      tone: "slate",
      values: daily.map((day) => (day.total_calls ? day.avg_latency_ms : null)),
      format: milliseconds,
    }),
  },
  success: {
    label: "Success",
    make: (daily) => ({
      name: "Success",
      tone: "accent",
      values: daily.map((day) => (day.total_calls ? day.success_rate : null)),
      format: (value) => percent(value, 0),
    }),
  },
};

export const ByDay = ({ daily, busy }: { daily: DailyFigures[]; busy: boolean }) => {
  const chosen = Object.keys(SERIES).find((name) => name === queryOf("chart")) ?? "calls";
  const kind = SERIES[chosen]!;
  const days = useMemo(() => daily.map(({ date }) => date), [daily]);
  const series = useMemo(() => kind.make(daily), [daily, kind]);
  return (
    <Card
      busy={busy}
      title={`${kind.label} by day`}
      note="Days are UTC. A click on a day, or Enter, opens its calls."
      actions={
        <Segmented
          label="What the chart shows"
          value={chosen}
          onChange={(value) => setQuery({ chart: value === "calls" ? null : value })}
          options={Object.entries(SERIES).map(([value, { label }]) => ({ value, label }))}
        />
      }
    >
      <Chart
        label={`${kind.label} by day`}
        days={days}
        series={series}
        onPick={(day) => go(hrefTo("calls", null, { start_date: day, end_date: day }))}
      />
    </Card>
  );
};
