/** Runs one task at a time. Owners take turns, so that one with many waiting tasks delays each of the others by no more than one. */

export type Turns = <T>(owner: string, task: () => Promise<T>) => Promise<T>;

export const createTurns = (): Turns => {
  /** By owner; the owner whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let isBusy = false;
  const leave = (): void => {
    const [first] = waiting;
    if (first === undefined) {
      isBusy = false;
      return;
    }
    const [owner, starts] = first;
    const start = starts.shift()!;
    waiting.delete(owner);
    if (starts.length > 0) waiting.set(owner, starts);
    start();
  };
  return async (owner, task) => {
    if (isBusy) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const starts = waiting.get(owner) ?? [];
      starts.push(resolve);
      waiting.set(owner, starts);
      await promise;
    }
    isBusy = true;
    try {
      return await task();
    } finally {
      leave();
    }
  };
};
