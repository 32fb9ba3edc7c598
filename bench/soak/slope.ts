/** What a series does in the long run, where each point also holds what is not yet collected. */

export type Point = { atMs: number; value: number };

const HOUR_MS = 3_600_000;

/** The least of each window. What a program holds falls back to what is alive whenever garbage is collected: there a leak shows, and only there. */
export const leastOfWindows = (points: readonly Point[], windowMs: number): Point[] => {
  const least = new Map<number, Point>();
  for (const point of points) {
    const window = Math.floor((point.atMs - points[0]!.atMs) / windowMs);
    if (point.value < (least.get(window)?.value ?? Number.POSITIVE_INFINITY)) least.set(window, point);
  }
  return [...least.values()];
};

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Least squares, in units an hour; `error` is the standard error, which takes the points for independent. */
export const slopeOf = (points: readonly Point[]): { anHour: number; error: number } => {
  const x = points.map(({ atMs }) => atMs / HOUR_MS);
  const y = points.map(({ value }) => value);
  const [mx, my] = [mean(x), mean(y)];
  const spread = x.reduce((sum, each) => sum + (each - mx) ** 2, 0);
  const anHour = x.reduce((sum, each, at) => sum + (each - mx) * (y[at]! - my), 0) / spread;
  const residue = x.reduce((sum, each, at) => sum + (y[at]! - my - anHour * (each - mx)) ** 2, 0);
  return { anHour, error: Math.sqrt(residue / (points.length - 2) / spread) };
};

/** The means of three equal parts: a leak goes on rising, what fills up to a bound does so less and less. */
export const thirds = (points: readonly Point[]): number[] =>
  [0, 1, 2].map((part) => {
    const [from, to] = [part, part + 1].map((end) => Math.round((end * points.length) / 3));
    return mean(points.slice(from, to).map(({ value }) => value));
  });
