/** The dates callers may send (decisions §11, safety-notes "Dates"): RFC 3339 with an offset, or a plain UTC day; nothing else. */

import { invalidRequest } from "../api-error.ts";

const DAY_MS = 86_400_000;
/** An unescaped `+` of an offset arrives as a space. */
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+ -]\d{2}:\d{2}))?$/;

/**
 * Epoch milliseconds. A plain day stands for its first moment as the start of a range and for the next day's as its end, so that
 * the last day named is in the range. Throws 400 naming `param`.
 */
export const parseDate = (text: string, param: string, edge: "start" | "end"): number => {
  const [, day, time, offset] = RFC_3339.exec(text) ?? [];
  if (day !== undefined) {
    const dayMs = Date.parse(`${day}T00:00:00Z`);
    // Date.parse turns 30 February into 2 March.
    const isReal = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
    const ms =
      time === undefined
        ? dayMs + (edge === "end" ? DAY_MS : 0)
        : Date.parse(`${day}T${time}${offset!.replace(" ", "+").toUpperCase()}`);
    if (isReal && !Number.isNaN(ms)) return ms;
  }
  throw invalidRequest(`\`${param}\` must be a date (2026-11-20) or an RFC 3339 time with offset (2026-11-20T14:00:00Z).`, param);
};
