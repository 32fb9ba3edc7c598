/** Limits how many do something at once; the others wait their turn. */

export type Semaphore = {
  /** Resolves, in the order asked, with a function that must be called to give the place back. */
  acquire(): Promise<() => void>;
};

/** `onRelease` is called whenever a place is given back. */
export const createSemaphore = (places: number, onRelease?: () => void): Semaphore => {
  let free = places;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    onRelease?.();
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    acquire: async () => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
};
