/** Looks up and sets untrusted names in tables, where `constructor`, `__proto__` and the like, which every object inherits, are ordinary names. */

export const ownValue = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

export const setOwn = (table: object, name: string, value: unknown): void => {
  Object.defineProperty(table, name, { value, enumerable: true, configurable: true, writable: true });
};
