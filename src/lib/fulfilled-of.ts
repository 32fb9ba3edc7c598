/** Of several things that were asked for at once, those that came: what was made, and paid for, is not thrown away because another failed. */

/** Waits for all. Rejects as the first that failed where none came. */
export const fulfilledOf = async <T>(asked: readonly Promise<T>[]): Promise<T[]> => {
  const results = await Promise.allSettled(asked);
  const failure = results.find((result) => result.status === "rejected");
  const came = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  if (came.length === 0 && failure !== undefined) throw failure.reason;
  return came;
};
