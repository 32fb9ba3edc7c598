/** Maps many items in sequence, yielding to the event loop every few milliseconds so that nobody else waits for all of it. */

const SLICE_MS = 5;

/** Rejects with the signal's reason if it aborts before the end. */
export const mapYielding = async <In, Out>(
  items: readonly In[],
  work: (item: In) => Out | Promise<Out>,
  signal?: AbortSignal,
): Promise<Out[]> => {
  const results: Out[] = [];
  let sliceEndsAt = performance.now() + SLICE_MS;
  for (const item of items) {
    results.push(await work(item));
    if (performance.now() < sliceEndsAt) continue;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
    sliceEndsAt = performance.now() + SLICE_MS;
  }
  return results;
};
