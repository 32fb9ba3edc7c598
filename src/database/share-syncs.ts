/** Makes commits durable off the serving thread: one sync of the write-ahead log at a time, shared by everybody who waits for one. */

type Done = (error?: Error | null) => void;

export type Syncs = {
  /** Resolves when everything written before the call is on the disk. */
  sync(): Promise<void>;
  isBusy(): boolean;
};

/** `run` does one sync. It may miss what is written while it runs, which therefore waits for the next. */
export const shareSyncs = (run: (done: Done) => void): Syncs => {
  let waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let isBusy = false;
  const start = () => {
    const served = waiting;
    waiting = [];
    isBusy = true;
    run((error) => {
      isBusy = false;
      if (waiting.length > 0) start();
      for (const { resolve, reject } of served) error ? reject(error) : resolve();
    });
  };
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (!isBusy) start();
      }),
    isBusy: () => isBusy,
  };
};
