/** Complexity in three bands, for display as a word and for counting. */

export const BANDS = ["easy", "middling", "hard"] as const;
export type Band = (typeof BANDS)[number];

/** Index into BANDS of a complexity (0-1). */
export const bandOf = (complexity: number): 0 | 1 | 2 => (complexity < 0.3 ? 0 : complexity < 0.6 ? 1 : 2);
