/** What a new key may be given: how long it is valid, and what it may spend a month. */

import { parseIso } from "../lib/parse-iso.ts";

export const MOST_BUDGET_USD = 1_000_000;

/** Later dates can no longer be written in the usual form. */
export const FURTHEST_MS = Date.UTC(9999, 11, 31);

/** Epoch ms of an ISO date or time, UTC where it has no offset; NaN for text that is no date, and for one too far ahead. */
export const parseExpiry = (text: string): number => {
  const at = parseIso(text)?.ms ?? Number.NaN;
  return at <= FURTHEST_MS ? at : Number.NaN;
};
