/** A chart of calls, cost, latency or success by day; a day leads to its calls. */

import { useMemo } from "preact/hooks";
import { milliseconds, percent, short, usd } from "../../format.ts";
import { Chart, type Series } from "../../parts/chart.tsx";
import { Segmented } from "../../parts/controls.tsx";
import { Card } from "../../parts/page.tsx";
import { go, hrefTo, queryOf, setQuery } from "../../router.ts";
import type { DailyFigures } from "../../wire.ts";

type Kind = Omit<Series, "values"> & { label: string; of: (day: DailyFigures) => number | null };

const KINDS: Record<string, Kind> = {
  calls: { label: "Calls", tone: "slate", bars: true, whole: true, of: (day) => day.total_calls, format: short },
  cost: { label: "Cost", tone: "accent", bars: true, of: (day) => day.total_cost_usd, format: usd },
  latency: {
    label: "Latency",
    tone: "slate",
    of: (day) => (day.total_calls ? day.avg_latency_ms : null),
    format: milliseconds,
  },
  success: {
    label: "Success",
    tone: "accent",
    of: (day) => (day.total_calls ? day.success_rate : null),
    format: (value) => percent(value, 0),
  },
};

export const ByDay = ({ daily, busy }: { daily: DailyFigures[]; busy: boolean }) => {
  const chosen = Object.keys(KINDS).find((name) => name === queryOf("chart")) ?? "calls";
  const kind = KINDS[chosen]!;
  const days = useMemo(() => daily.map(({ date }) => date), [daily]);
  const series = useMemo(() => ({ ...kind, values: daily.map(kind.of) }), [daily, kind]);
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
          options={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
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
