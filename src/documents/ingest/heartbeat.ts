/** Lets a job report that it is still at work, and learn whether it still owns the document. */

import type { JobContext } from "../../background/background.ts";

const HEARTBEAT_MS = 5_000;

/** The document was deleted, or another worker has taken it. */
export class Abandoned extends Error {}

/** Throws Abandoned. */
export const beat = async ({ heartbeat, signal }: JobContext): Promise<void> => {
  signal.throwIfAborted();
  if (!(await heartbeat())) throw new Abandoned();
};

/** The same job, with its lease extended at most every few seconds, because a heartbeat is a commit. */
export const unhurried = (context: JobContext): JobContext => {
  let last = performance.now();
  return {
    ...context,
    heartbeat: async () => {
      if (performance.now() - last < HEARTBEAT_MS) return true;
      last = performance.now();
      return context.heartbeat();
    },
  };
};
