/** Much small work, one piece after the other: the loop is given back every few milliseconds, so that nobody else waits for all of it. */

const TURN_MS = 5;

/** Rejects with the signal's reason where it aborts before the end. */
export const mapInTurns = async <In, Out>(
  items: readonly In[],
  work: (item: In) => Out | Promise<Out>,
  signal?: AbortSignal,
): Promise<Out[]> => {
  const results: Out[] = [];
  let turnEndsAt = performance.now() + TURN_MS;
  for (const item of items) {
    results.push(await work(item));
    if (performance.now() < turnEndsAt) continue;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
    turnEndsAt = performance.now() + TURN_MS;
  }
  return results;
};
