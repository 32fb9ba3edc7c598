/**
 * Remembers what was used last: at least the last `least` keys, at most twice as many; with `weigh`, keys of that weight instead. The older
 * half is forgotten all at once. Deleting the oldest key of one map each time would take longer the more keys there are, since the runtime
 * steps over all those deleted before.
 */

export type Recent<Value> = {
  find(key: string): Value | undefined;
  keep(key: string, value: Value): void;
  forget(): void;
};

export const createRecent = <Value>(least: number, weigh: (value: Value) => number = () => 1): Recent<Value> => {
  let recent = new Map<string, Value>();
  let earlier = new Map<string, Value>();
  let weight = 0;
  const keep = (key: string, value: Value): void => {
    if (!recent.has(key)) weight += weigh(value);
    recent.set(key, value);
    if (weight < least) return;
    earlier = recent;
    recent = new Map();
    weight = 0;
  };
  return {
    find: (key) => {
      const found = recent.get(key);
      if (found !== undefined) return found;
      const older = earlier.get(key);
      if (older !== undefined) keep(key, older);
      return older;
    },
    keep,
    forget: () => {
      recent.clear();
      earlier.clear();
      weight = 0;
    },
  };
};
