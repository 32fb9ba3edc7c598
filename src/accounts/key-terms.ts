/** What a new key may be given: until when it holds, and what it may spend a month. */

export const MOST_BUDGET_USD = 1_000_000;

/** Beyond it no date can be written as people read it. */
export const FURTHEST_MS = Date.UTC(9999, 11, 31);

/** Epoch ms of an ISO date or time; NaN for what is none, for no day of the calendar (`Date.parse` turns 30 February into 2 March), and too far ahead. */
export const parseExpiry = (text: string): number => {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  const isReal = new Date(Date.parse(`${day}T00:00Z`) || 0).toISOString().startsWith(day);
  const at = isReal ? Date.parse(text) : Number.NaN;
  return at <= FURTHEST_MS ? at : Number.NaN;
};
