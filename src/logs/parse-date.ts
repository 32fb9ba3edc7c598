/** The dates callers may send: ISO 8601 as spec.md says, a day or a time; without an offset it is UTC. Nothing looser, unlike `Date.parse`. */

import { invalidRequest } from "../api-error.ts";
import { DAY_MS } from "../lib/clock.ts";

/** An unescaped `+` of an offset arrives as a space. */
const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:([Zz])|([+ -]\d{2}):?(\d{2}))?)?$/;

/**
 * Epoch milliseconds: a range's first moment, or the first after its end. What is named is in the range, be it a day or a
 * millisecond. Throws 400 naming `param`.
 */
export const parseDate = (text: string, param: string, edge: "start" | "end"): number => {
  const [, day, time, , hours, minutes] = ISO_8601.exec(text) ?? [];
  if (day !== undefined) {
    const dayMs = Date.parse(`${day}T00:00:00Z`);
    // Date.parse turns 30 February into 2 March.
    const isReal = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
    const ms =
      time === undefined
        ? dayMs
        : Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours.replace(" ", "+")}:${minutes}`}`);
    const lengthMs = time === undefined ? DAY_MS : 1;
    if (isReal && !Number.isNaN(ms)) return edge === "end" ? ms + lengthMs : ms;
  }
  throw invalidRequest(`\`${param}\` must be an ISO 8601 date (2026-11-20) or time (2026-11-20T14:00:00Z).`, param);
};
