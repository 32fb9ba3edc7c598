/** The dates callers may send: ISO 8601 as spec.md says, a day or a time; without an offset it is UTC. Nothing looser, unlike `Date.parse`. */

import { invalidRequest } from "../api-error.ts";
import { DAY_MS } from "../lib/clock.ts";

/** An unescaped `+` of an offset arrives as a space. */
const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:([Zz])|([+ -]\d{2}):?(\d{2}))?)?$/;

/**
 * Epoch milliseconds. A plain day stands for its first moment as the start of a range and for the next day's as its end, so that
 * the last day named is in the range. Throws 400 naming `param`.
 */
export const parseDate = (text: string, param: string, edge: "start" | "end"): number => {
  const [, day, time, , hours, minutes] = ISO_8601.exec(text) ?? [];
  if (day !== undefined) {
    const dayMs = Date.parse(`${day}T00:00:00Z`);
    // Date.parse turns 30 February into 2 March.
    const isReal = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
    const ms =
      time === undefined
        ? dayMs + (edge === "end" ? DAY_MS : 0)
        : Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours.replace(" ", "+")}:${minutes}`}`);
    if (isReal && !Number.isNaN(ms)) return ms;
  }
  throw invalidRequest(`\`${param}\` must be an ISO 8601 date (2026-11-20) or time (2026-11-20T14:00:00Z).`, param);
};
