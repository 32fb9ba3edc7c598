/** Counters and histograms since the process started, each under a set of labels; what Prometheus scrapes and OTLP sends. */

export type Labels = Record<string, string>;
type HistogramPoint = { labels: Labels; counts: number[]; sum: number; count: number };
type CounterPoint = { labels: Labels; value: number };

type About = {
  /** Prometheus' name, with its unit. */
  name: string;
  help: string;
  /** OpenTelemetry's name and unit, if it is sent there too. */
  otlp?: { name: string; unit: string };
};
export type Counter = About & { kind: "counter"; add(labels: Labels, value?: number): void; points(): CounterPoint[] };
export type Histogram = About & {
  kind: "histogram";
  /** Upper bounds, ascending; what lies above the last is counted too. */
  bounds: readonly number[];
  record(labels: Labels, value: number): void;
  points(): HistogramPoint[];
};

/** Labels depend on requests; beyond this many combinations, new ones are counted without labels. */
const MOST_POINTS = 2_000;

const keyed = <Point>(create: (labels: Labels) => Point) => {
  const points = new Map<string, Point>();
  return {
    of: (labels: Labels): Point => {
      let key = Object.values(labels).join("\u0000");
      let point = points.get(key);
      if (point === undefined) {
        const isFull = points.size >= MOST_POINTS;
        if (isFull) key = "";
        point = points.get(key) ?? create(isFull ? {} : labels);
        points.set(key, point);
      }
      return point;
    },
    all: () => [...points.values()],
  };
};

export const createCounter = (about: About): Counter => {
  const points = keyed<CounterPoint>((labels) => ({ labels, value: 0 }));
  return {
    ...about,
    kind: "counter",
    add: (labels, value = 1) => {
      points.of(labels).value += value;
    },
    points: points.all,
  };
};

export const createHistogram = (about: About & { bounds: readonly number[] }): Histogram => {
  const points = keyed<HistogramPoint>((labels) => ({
    labels,
    counts: Array(about.bounds.length + 1).fill(0),
    sum: 0,
    count: 0,
  }));
  return {
    ...about,
    kind: "histogram",
    record: (labels, value) => {
      const point = points.of(labels);
      const index = about.bounds.findIndex((bound) => value <= bound);
      point.counts[index < 0 ? about.bounds.length : index]! += 1;
      point.sum += value;
      point.count++;
    },
    points: points.all,
  };
};
