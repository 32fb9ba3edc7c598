/** A chart over time, drawn by uPlot in the theme's colours, with the same figures as a table for screen readers. */

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../state.ts";

export type Series = {
  tone: "slate" | "accent";
  values: (number | null)[];
  bars?: boolean;
  /** Values are counts, so the axis has whole numbers only; others would get rounded labels. */
  whole?: boolean;
  format: (value: number) => string;
};
/** Other `days` or `series` than before draw the chart anew, so keep them from one rendering to the next (`useMemo`). */
type Props = { label: string; days: string[]; series: Series; onPick: (day: string) => void };

/** In pixels. */
const HEIGHT = 200;
const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

export const Chart = ({ label, days, series, onPick }: Props) => {
  const holder = useRef<HTMLDivElement>(null);
  const reading = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const plotted = useRef<uPlot | null>(null);
  const [reached, setReached] = useState<number | null>(null);
  const at = Math.min(reached ?? days.length, days.length - 1);
  const shownTheme = theme.value;

  useEffect(() => {
    // Kept here, because the colours may change between the page's removal, which empties the references, and this effect's end.
    const element = holder.current!;
    const line = reading.current!;
    const draw = (): uPlot => {
      const plot = new uPlot(optionsFor(element.clientWidth, days, series, line), dataOf(days, series), element);
      plot.over.addEventListener("click", () => {
        const at = plot.cursor.idx;
        if (at != null && days[at]) pick.current(days[at]);
      });
      plot.over.style.cursor = "pointer";
      return plot;
    };
    let plot = draw();
    plotted.current = plot;
    const redraw = () => {
      plot.destroy();
      plot = draw();
      plotted.current = plot;
    };
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", redraw);
    return () => {
      scheme.removeEventListener("change", redraw);
      sizes.disconnect();
      plot.destroy();
    };
  }, [days, series, shownTheme]);

  /** Arrow keys move from day to day and Enter opens one, like pointing and clicking with the mouse. */
  const steer = (event: KeyboardEvent) => {
    if (event.key === "Enter") return pick.current(days[at]!);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.min(days.length - 1, Math.max(0, to));
    setReached(next);
    const plot = plotted.current!;
    plot.setCursor({ left: plot.valToPos(Date.parse(days[next]!) / 1_000, "x"), top: 1 });
  };

  return (
    <figure>
      <div class="chart-reading small muted" ref={reading} aria-hidden="true">
        &nbsp;
      </div>
      <div
        ref={holder}
        style={{ height: `${HEIGHT}px` }}
        role="slider"
        tabIndex={0}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={at + 1}
        aria-valuetext={readingAt(days, series, at)}
        onKeyDown={steer}
        aria-label={label}
      />
      <div class="visually-hidden">
        <table>
          <caption>{label}</caption>
          <tbody>
            {days.map((day, at) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{series.values[at] == null ? "no calls" : series.format(series.values[at]!)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
};

const readingAt = (days: string[], series: Series, at: number): string => {
  const value = series.values[at];
  return `${shortDay.format(new Date(days[at]!))}: ${value == null ? "no calls" : series.format(value)}`;
};

const HALF_DAY_S = 43_200;
const WHOLE_STEPS = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

const dataOf = (days: string[], series: Series): uPlot.AlignedData => [days.map((day) => Date.parse(day) / 1_000), series.values];

const colour = (name: string): string => {
  // A custom property may contain light-dark(), which a canvas does not understand; a computed colour it does.
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
};

/** How much larger its text is than usual, by the browser's setting. */
const textScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

const optionsFor = (width: number, days: string[], series: Series, reading: HTMLElement): uPlot.Options => {
  const stroke = colour(series.tone);
  // Bars are centred on their days, so the first and last need half a day of room.
  const pad = series.bars ? HALF_DAY_S : 0;
  const scale = textScale();
  const axis = {
    stroke: colour("ink-2"),
    font: `${12 * scale}px system-ui`,
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    // Days are UTC. In the browser's time zone, the axis would be shifted against the bars and name other days.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7, fill: stroke, stroke } },
    scales: {
      x: { time: true, range: (_, first, last) => [first - pad, last + pad] },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26 * scale,
        space: 64 * scale,
        values: (_, ticks) => ticks.map((tick) => shortDay.format(new Date(tick * 1_000))),
        incrs: [86_400, 2 * 86_400, 7 * 86_400, 14 * 86_400],
      },
      {
        ...axis,
        size: 62 * scale,
        space: 36 * scale,
        values: (_, ticks) => ticks.map(series.format),
        ...(series.whole && { incrs: WHOLE_STEPS }),
      },
    ],
    series: [
      {},
      {
        stroke,
        width: 1.75,
        fill: series.bars ? stroke : undefined!,
        spanGaps: false,
        points: { show: days.length <= 14 && !series.bars, size: 5, fill: stroke },
        ...(series.bars && { paths: uPlot.paths.bars!({ size: [0.62, 34], radius: 0.18 }), width: 0 }),
      },
    ],
    hooks: {
      setCursor: [
        (plot) => {
          const at = plot.cursor.idx;
          reading.textContent = at == null || !days[at] ? " " : readingAt(days, series, at);
        },
      ],
    },
  };
};
