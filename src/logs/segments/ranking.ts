/** The first few of many calls by a figure; those that tie stand in the order in which they were written. Holds little more than it is asked for. */

export type Order = "asc" | "desc";

export type Ranking = {
  offer(figure: number, seq: number): void;
  /** True where `most` are held that all stand before any call of this figure. */
  excludes(figure: number): boolean;
  /** The calls of these places, first to last; `end` exclusive, at most `most`. */
  places(begin: number, end: number): number[];
};

const LEAST_ROOM = 1024;

export const createRanking = (most: number, order: Order): Ranking => {
  // Whatever comes first is less: turned round, also what came first of all.
  const sign = order === "asc" ? 1 : -1;
  let keys = new Float64Array(LEAST_ROOM);
  let seqs = new Float64Array(LEAST_ROOM);
  let size = 0;
  /** The last of the first `most`, as soon as there were so many. */
  let barKey = Number.POSITIVE_INFINITY;
  let barSeq = Number.POSITIVE_INFINITY;

  const sortedKeys = () => keys.slice(0, size).sort();
  const tiedAt = (key: number): Float64Array => {
    const tied = new Float64Array(size);
    let count = 0;
    for (let n = 0; n < size; n++) if (keys[n] === key) tied[count++] = seqs[n]!;
    return tied.subarray(0, count).sort();
  };

  const keepFirst = () => {
    const sorted = sortedKeys();
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
  const grown = (array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
    const larger = new Float64Array(2 * array.length);
    larger.set(array);
    return larger;
  };
  const makeRoom = () => {
    if (size >= 2 * most) return keepFirst();
    keys = grown(keys);
    seqs = grown(seqs);
  };

  return {
    offer: (figure, seq) => {
      const key = sign * figure;
      if (key > barKey || (key === barKey && sign * seq > barSeq)) return;
      if (size === keys.length) makeRoom();
      keys[size] = key;
      seqs[size++] = sign * seq;
    },
    excludes: (figure) => {
      if (size > most || (size === most && barKey === Number.POSITIVE_INFINITY)) keepFirst();
      return sign * figure > barKey;
    },
    places: (begin, end) => {
      const sorted = sortedKeys();
      const last = Math.min(end, size) - 1;
      if (begin > last) return [];
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
