/** A job says now and then that it is still at work, and hears whether it still has the document. */

import type { JobContext } from "../../background/background.ts";

const HEARTBEAT_MS = 5_000;

/** Not ours any more: the document was deleted, or another worker has it. */
export class Abandoned extends Error {}

/** Throws Abandoned. */
export const beat = async ({ heartbeat, signal }: JobContext): Promise<void> => {
  signal.throwIfAborted();
  if (!(await heartbeat())) throw new Abandoned();
};

/** The same job, its lease extended at most every few seconds: a heartbeat is a commit. */
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
