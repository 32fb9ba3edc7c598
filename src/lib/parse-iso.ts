/** ISO 8601 as people and programs write it, a day or a time; without an offset it is UTC. Nothing looser, unlike `Date.parse`. */

/** An offset's unescaped `+` arrives as a space where it came in a query. */
const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:([Zz])|([+ -]\d{2})(?::?(\d{2}))?)?)?$/;

/** Epoch milliseconds, of a day its beginning; undefined for what is none, or names no day of the calendar. */
export const parseIso = (text: string): { ms: number; isDay: boolean } | undefined => {
  const [, day, time, , hours, minutes = "00"] = ISO_8601.exec(text) ?? [];
  if (day === undefined) return undefined;
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  // Date.parse turns 30 February into 2 March.
  if (Number.isNaN(dayMs) || !new Date(dayMs).toISOString().startsWith(day)) return undefined;
  if (time === undefined) return { ms: dayMs, isDay: true };
  const ms = Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours.replace(" ", "+")}:${minutes}`}`);
  return Number.isNaN(ms) ? undefined : { ms, isDay: false };
};
