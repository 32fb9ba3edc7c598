/** The terms of a key: its expiry and monthly budget. */

import { parseIso } from "../lib/parse-iso.ts";

export const MOST_BUDGET_USD = 1_000_000;

/** Later dates have no four-digit year. */
export const FURTHEST_MS = Date.UTC(9999, 11, 31);

/** Epoch ms of an ISO date or time, UTC if it has no offset; NaN for invalid text, and for dates too far ahead. */
export const parseExpiry = (text: string): number => {
  const at = parseIso(text)?.ms ?? Number.NaN;
  return at <= FURTHEST_MS ? at : Number.NaN;
};
