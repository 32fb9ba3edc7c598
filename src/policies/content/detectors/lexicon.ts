/** What the words around a number can say of it. The words themselves: context-lexicons.ts. */

/**
 * 2: the type asked for. 1: the same, but only where nothing named stands between it and the number ("my number is"). -2: something else.
 * -1: something else where it stands right before the number and no stronger word is in reach. -3: something else where it stands right before the number, whatever else is in reach; nothing elsewhere.
 */
export type Weight = 2 | 1 | -1 | -2 | -3;

export type Lexicon = {
  /** Lower-case words. */
  words: ReadonlyMap<string, Weight>;
  /** Words of scripts without spaces, looked for inside a run of letters. */
  phrases: readonly (readonly [string, Weight])[];
  /** Words that may stand between a label and its number besides "number", "no", "id" and the like. */
  fillers: ReadonlySet<string>;
  /** "number", "date": with a name beside it ("pallet number", "número de palet", "Palettennummer") it labels something else. */
  heads: ReadonlySet<string>;
  /** The names that count beside a head, where not any does. */
  names: ReadonlySet<string> | undefined;
  /** `pallet: …`, `"pallet": …`: a key that says nothing known names something else. */
  keysSpeakAgainst: boolean;
  /** "applied", "arrested": events speak weakly against. */
  eventsSpeakAgainst: boolean;
};
