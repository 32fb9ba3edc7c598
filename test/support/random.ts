/** Chance that can be repeated: the same seed, the same run. */

export type Random = {
  /** 0 ≤ x < 1 */
  next(): number;
  /** 0 ≤ n < below */
  integer(below: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
};

/** Mulberry32. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return { next, integer, chance: (share) => next() < share, pick: (items) => items[integer(items.length)]! };
};
