/** Turns, of which a few are taken at once: where many answers of a million characters end together, they are not all in memory together. */

export type Turns = {
  /** Resolves, in the order asked, with what ends the turn; that must be called. */
  take(): Promise<() => void>;
};

/** `onEnd` is called at the end of each turn. */
export const createTurns = (atOnce: number, onEnd?: () => void): Turns => {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  const end = (): void => {
    onEnd?.();
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    take: async () => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return end;
    },
  };
};
