/** Looks up untrusted names in tables without finding `constructor` and the like, which every object inherits. */

export const ownValue = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
