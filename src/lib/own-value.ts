/** Tables asked for words that came from outside: `constructor` and its like, which every object inherits, stand in none. */

export const ownValue = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
