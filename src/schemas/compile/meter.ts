/** The work that checking may take, in steps of about five nanoseconds: whatever a schema could make grow spends from it. */

/** About a second of work: what one check may spend, or all checks of one answer together. */
const BUDGET_STEPS = 200_000_000;

export type Budget = { left: number };
export const createBudget = (): Budget => ({ left: BUDGET_STEPS });

/** `price` is what one step costs here: to explain why a value does not fit takes longer than to find that it does not. */
export type Meter = { left: number; price: number };
export class WorkExceeded extends Error {}

/** True, so that it can stand in a condition. Throws WorkExceeded. */
export const spend = (meter: Meter, steps: number): true => {
  meter.left -= steps * meter.price;
  if (meter.left < 0) throw new WorkExceeded("Checking the value against the schema takes too much work.");
  return true;
};
