/** Lets a few do at once what many want to: where many answers of a million characters end together, they are not all in memory together. */

export type Semaphore = {
  /** Resolves, in the order asked, with what gives the place back; that must be called. */
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
