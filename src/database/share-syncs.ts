/** Makes commits durable off the serving thread: one sync of the write-ahead log at a time, shared by everybody who waits for one. */

export type Syncs = {
  /** Resolves when everything written before the call is on the disk. */
  sync(): Promise<void>;
  isBusy(): boolean;
};

/** `run` does one sync. It may miss what is written while it runs, which therefore waits for the next. */
export const shareSyncs = (run: () => Promise<void>): Syncs => {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    running = run().finally(() => {
      if (next === undefined) running = undefined;
    });
    return running;
  };
  return {
    sync: () => {
      if (running === undefined) return start();
      next ??= running.then(start, start);
      return next;
    },
    isBusy: () => running !== undefined,
  };
};
