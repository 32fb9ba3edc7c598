/**
 * Latencies as counts in 80 buckets, four to a doubling, from a millisecond to a quarter of an hour: percentiles of any period come from
 * adding counts up. A percentile is off by less than a bucket's width (19 %), usually by far less.
 */

export const BUCKET_COUNT = 80;
const PER_DOUBLING = 4;

/** Longest latency that falls into bucket `index`; the last bucket holds everything above as well. */
const upperBoundMs = (index: number): number => (index < 0 ? 0 : 2 ** (index / PER_DOUBLING));

export const bucketOf = (latencyMs: number): number =>
  latencyMs <= 1 ? 0 : Math.min(BUCKET_COUNT - 1, Math.ceil(PER_DOUBLING * Math.log2(latencyMs) - 1e-9));

export type BucketColumn = `latency_${number}`;
/** `latency_00` … `latency_79`, as the rollup's columns are named. */
export const BUCKET_COLUMNS: readonly BucketColumn[] = Array.from(
  { length: BUCKET_COUNT },
  (_, index) => `latency_${String(index).padStart(2, "0")}` as BucketColumn,
);

/** The latency in milliseconds below which `share` (0-1) of the counted ones lie; null if there are none. */
export const percentileOf = (counts: readonly number[], share: number): number | null => {
  const wanted = share * counts.reduce((sum, count) => sum + count, 0);
  let passed = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && passed + count >= wanted) {
      const lower = upperBoundMs(index - 1);
      return Math.round(lower + ((upperBoundMs(index) - lower) * (wanted - passed)) / count);
    }
    passed += count;
  }
  return null;
};
