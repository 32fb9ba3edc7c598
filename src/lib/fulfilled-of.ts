/** Of several simultaneous requests, returns those that succeeded: what was made, and paid for, is not lost because another failed. */

/** Waits for all. If none succeeded, rejects like the first failure. */
export const fulfilledOf = async <T>(asked: readonly Promise<T>[]): Promise<T[]> => {
  const results = await Promise.allSettled(asked);
  const failure = results.find((result) => result.status === "rejected");
  const came = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  if (came.length === 0 && failure !== undefined) throw failure.reason;
  return came;
};
