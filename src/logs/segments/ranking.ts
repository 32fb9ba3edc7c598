/**
 * Keeps the first few of many calls by a figure; ties are in the order in which they were written. Holds little more than it is asked for.
 */

type Order = "asc" | "desc";

export type Ranking = {
  /** One figure per call; with `fitting`, only calls where it is 1. */
  offer(figures: ArrayLike<number>, seqs: ArrayLike<number>, fitting?: Uint8Array): void;
  /** True if `most` calls are held that all precede any call of this figure. */
  excludes(figure: number): boolean;
  /** The calls at these positions; `end` exclusive, at most `most`. */
  places(begin: number, end: number): number[];
};

const LEAST_ROOM = 1024;

export const createRanking = (most: number, order: Order): Ranking => {
  // Whatever comes first is smaller; for descending order figures are negated, and ties reversed.
  const sign = order === "asc" ? 1 : -1;
  const room = Math.max(2 * most, LEAST_ROOM);
  const keys = new Float64Array(room);
  const seqs = new Float64Array(room);
  let size = 0;
  /** The key of the last of the first `most`, once there are so many. */
  let barKey = Number.POSITIVE_INFINITY;
  let barSeq = Number.POSITIVE_INFINITY;

  /** The seqs with that key, first to last. */
  const tiedAt = (key: number): Float64Array => {
    let count = 0;
    for (let n = 0; n < size; n++) if (keys[n] === key) count++;
    const tied = new Float64Array(count);
    for (let n = size - 1; count > 0; n--) if (keys[n] === key) tied[--count] = seqs[n]!;
    return tied.sort();
  };
  const keepFirst = () => {
    const sorted = keys.slice(0, size).sort();
    barKey = sorted[most - 1]!;
    barSeq = tiedAt(barKey)[most - 1 - sorted.indexOf(barKey)]!;
    let kept = 0;
    for (let n = 0; n < size; n++) {
      if (keys[n]! > barKey || (keys[n] === barKey && seqs[n]! > barSeq)) continue;
      keys[kept] = keys[n]!;
      seqs[kept++] = seqs[n]!;
    }
    size = kept;
  };

  return {
    offer: (figures, written, fitting) => {
      for (let n = 0; n < figures.length; n++) {
        const key = sign * figures[n]!;
        if (key > barKey || (fitting !== undefined && fitting[n] === 0)) continue;
        const seq = sign * written[n]!;
        if (key === barKey && seq > barSeq) continue;
        if (size === room) keepFirst();
        keys[size] = key;
        seqs[size++] = seq;
      }
    },
    excludes: (figure) => {
      if (size > most || (size === most && barKey === Number.POSITIVE_INFINITY)) keepFirst();
      return sign * figure > barKey;
    },
    places: (begin, end) => {
      const last = Math.min(end, size) - 1;
      if (begin > last) return [];
      const sorted = keys.slice(0, size).sort();
      const [low, high] = [sorted[begin]!, sorted[last]!];
      const first = begin - sorted.indexOf(low);
      const count = last + 1 - begin;
      const between: number[] = [];
      for (let n = 0; n < size; n++) if (keys[n]! > low && keys[n]! < high) between.push(n);
      between.sort((a, b) => keys[a]! - keys[b]! || seqs[a]! - seqs[b]!);
      const found = [...tiedAt(low).subarray(first, first + count), ...between.map((n) => seqs[n]!)];
      if (high > low) found.push(...tiedAt(high).subarray(0, count - found.length));
      return found.map((seq) => sign * seq);
    },
  };
};
