/** Complexity in three bands, where a word or a count is wanted instead of a figure. */

export const BANDS = ["easy", "middling", "hard"] as const;
export type Band = (typeof BANDS)[number];

/** Index into BANDS of a complexity (0-1). */
export const bandOf = (complexity: number): 0 | 1 | 2 => (complexity < 0.3 ? 0 : complexity < 0.6 ? 1 : 2);
