/** The dates of a range, as the parameters of a query name them. */

import { invalidRequest } from "../api-error.ts";
import { DAY_MS } from "../lib/clock.ts";
import { parseIso } from "../lib/parse-iso.ts";

/**
 * Epoch milliseconds of a range's first moment, or of the first after its end: the named day or millisecond is part of the range. Throws
 * 400 with `param`.
 */
export const readDate = (text: string, param: string, edge: "start" | "end"): number => {
  const named = parseIso(text);
  if (named === undefined)
    throw invalidRequest(`\`${param}\` must be an ISO 8601 date (2026-11-20) or time (2026-11-20T14:00:00Z).`, param);
  return edge === "start" ? named.ms : named.ms + (named.isDay ? DAY_MS : 1);
};
