/** Looks up a schema's words by spelling: models write them in another case or with other blanks. */

/** The schema's word for a spelling; `undefined` if two words share it. */
export type Spellings = ReadonlyMap<string, string | undefined>;

/** `wordsIn` gives those of one object within the schema; what is no string is passed over. */
export const spellingsOf = (
  schema: unknown,
  wordsIn: (node: object) => readonly unknown[],
  spellingOf: (word: string) => string,
): Spellings => {
  const spellings = new Map<string, string | undefined>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const word of wordsIn(node)) {
      if (typeof word !== "string") continue;
      const spelling = spellingOf(word);
      spellings.set(spelling, spellings.has(spelling) && spellings.get(spelling) !== word ? undefined : word);
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return spellings;
};
