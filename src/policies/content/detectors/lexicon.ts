/** What the words around a number can say about it. The words themselves are in context-lexicons.ts and date-lexicon.ts. */

/**
 * Words that must stand right before a number stand in its sentence and paragraph.
 * - `for`: it is of the type that is looked for.
 * - `owner`: the same, but only if nothing except "number", "is" and the like stands between the word and the number ("my number is").
 * - `against`: it is something else.
 * - `weakly against`: it is something else if the word stands right before it and no stronger word is within reach.
 * - `against if beside`: it is something else if the word stands right before it, whatever else is within reach; elsewhere the word says
 *   nothing.
 */
export type Weight = "for" | "owner" | "against" | "weakly against" | "against if beside";

export type Lexicon = {
  /** Lower-case words. */
  words: ReadonlyMap<string, Weight>;
  /** Words of scripts without spaces, which are looked for inside a run of letters. */
  phrases: readonly (readonly [string, Weight])[];
  /** Words that may stand between a label and its number besides "number", "no", "id" and the like. */
  fillers: ReadonlySet<string>;
  /** "number", "date": with a name beside it ("pallet number", "número de palet", "Palettennummer") such a word labels something else. */
  heads: ReadonlySet<string>;
  /** The names that count beside a head; if undefined, any name does. */
  names: ReadonlySet<string> | undefined;
  /** Whether an unknown word right before the number (`pallet 12`), or a key (`pallet: …`, `"pallet": …`), names something else. */
  thingsSpeakAgainst: boolean;
  /** Whether the number's form convinces, so that words of another sentence say nothing about it. */
  isConvincing: boolean;
  /** For dates: words of events ("applied", "arrested") speak weakly against, and a capitalised word may be the name of who was born. */
  eventsSpeakAgainst: boolean;
};

export const wordsOf = (list: string): string[] => list.trim().split(/\s+/);

/** "number", "id" and "code" in languages that write them as words of their own. */
export const NUMBER_HEADS = new Set(
  wordsOf(`number numbers no num nr nbr n id ids code nummer nummern nummers numret número numéro numero núm nº numer número номер číslo numara numarası
   nomor số zahl szám száma ورقم برقم رقم संख्या क्रमांक नंबर`),
);

/** `entries` and `phrases`: weights, each with a list of words. */
export const lexicon = (
  entries: [Weight, string][],
  phrases: [Weight, string][] = [],
  { fillers = "", ...more }: { fillers?: string } & Partial<Omit<Lexicon, "fillers">> = {},
): Lexicon => ({
  words: new Map(entries.flatMap(([weight, list]) => wordsOf(list).map((word): [string, Weight] => [word, weight]))),
  phrases: phrases.flatMap(([weight, list]) => wordsOf(list).map((phrase): [string, Weight] => [phrase, weight])),
  fillers: new Set(wordsOf(fillers)),
  heads: NUMBER_HEADS,
  names: undefined,
  thingsSpeakAgainst: false,
  eventsSpeakAgainst: false,
  isConvincing: false,
  ...more,
});
