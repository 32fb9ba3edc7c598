/** Meters the work of a check, in steps of about five nanoseconds; everything that a schema could make grow spends from it. */

/** About a second of work, for one check or for all checks of one answer together. */
const BUDGET_STEPS = 200_000_000;

export type Budget = { left: number };
export const createBudget = (): Budget => ({ left: BUDGET_STEPS });

/** `price`: the cost of one step; explaining why a value does not fit takes longer than finding out that it does not. */
export type Meter = { left: number; price: number };
export class WorkExceeded extends Error {}

/** Returns true, so that it can be used in a condition. Throws WorkExceeded. */
export const spend = (meter: Meter, steps: number): true => {
  meter.left -= steps * meter.price;
  if (meter.left < 0) throw new WorkExceeded("Checking the value against the schema takes too much work.");
  return true;
};
