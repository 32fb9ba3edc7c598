/** How long a provider asks us to wait, in headers of many names and forms or in its error text. */

import type { AnswerHeaders } from "../transport/answer-headers.ts";

/** Milliseconds, rounded up; undefined for invalid values. */
const inMs = (value: number): number | undefined => (Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined);

const UNIT_MS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** "1m30.5s", "6ms", "2h". */
const durationMs = (text: string): number | undefined => {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms])){1,5}$/.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/([\d.]+)(ms|[dhms])/g)) total += Number(count) * UNIT_MS[unit!]!;
  return inMs(total);
};

/** A time, as a date or as seconds or milliseconds since 1970; smaller numbers are seconds from now. */
export const limitReset = (text: string, now = Date.now()): number | undefined => {
  const count = Number(text);
  if (text.trim() === "" || !Number.isFinite(count)) {
    // Every form of a date has a time of day; the runtime would also take "7, 7" for one.
    const at = text.includes(":") ? Date.parse(text) : Number.NaN;
    return durationMs(text) ?? (Number.isNaN(at) ? undefined : Math.max(0, at - now));
  }
  if (count > 1e11) return Math.max(0, count - now);
  return count > 1e9 ? Math.max(0, count * 1000 - now) : inMs(count * 1000);
};

/** Absolute times refer to the server's clock, which its `date` header shows; without that header, to ours. */
const clockOf = (headers: AnswerHeaders, ours: number): number => {
  const theirs = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(theirs) ? ours : theirs;
};

/** `retry-after-ms`, else `retry-after` or `x-retry-after` as seconds or as a date. */
export const retryHeader = (headers: AnswerHeaders | undefined, now = Date.now()): number | undefined =>
  headers &&
  (inMs(Number(headers.get("retry-after-ms") || Number.NaN)) ??
    limitReset(headers.get("retry-after") ?? headers.get("x-retry-after") ?? "", clockOf(headers, now)));

/**
 * The waits of spent limits in the IETF's `RateLimit` (Cloudflare, Hugging Face): `"minute";r=0;t=30, "day";r=5;t=9000`, in older drafts
 * `limit=9, remaining=0, reset=30`.
 */
const structuredMs = (header: string): number[] =>
  header.split(/,(?=\s*")/).flatMap((limit) => {
    const seconds = /\b(?:t|reset)=(\d{1,9})/.exec(limit)?.[1];
    return seconds !== undefined && /\b(?:r|remaining)=0+\b/.test(limit) ? [Number(seconds) * 1000] : [];
  });

/** Brave tells of the second and the month in one header: `1, 1419704`. */
const listed = (text: string): string[] => (/^[\d., ]+$/.test(text) ? text.split(",") : [text]);

/**
 * Vendors name their limits differently: `x-ratelimit-reset-tokens`, `anthropic-ratelimit-requests-reset`, `ratelimit-reset`, each beside a
 * header with `remaining` in place of `reset`. Of the limits with nothing remaining, the latest reset counts. If no limit says what remains,
 * the earliest counts, because any of them may be the one that was reached.
 */
const spentMs = (headers: AnswerHeaders, now: number): number | undefined => {
  const spent: number[] = [];
  const unclear: number[] = [];
  headers.forEach((reset, name) => {
    if (!name.includes("limit") || !name.includes("reset")) return;
    const remaining = headers.get(name.replace("reset", "remaining"));
    const left = remaining === null ? undefined : listed(remaining);
    for (const [place, each] of listed(reset).entries()) {
      const waitMs = limitReset(each, clockOf(headers, now));
      if (waitMs === undefined) continue;
      if (left === undefined) unclear.push(waitMs);
      else if (Number(left[place]) <= 0) spent.push(waitMs);
    }
  });
  spent.push(...structuredMs(headers.get("ratelimit") ?? ""));
  if (spent.length > 0) return Math.max(...spent);
  return unclear.length > 0 ? Math.min(...unclear) : undefined;
};

/** "Please try again in 7.66s.", "Please retry after 6 seconds.", "wait 20 seconds", "Your rate limit resets in ~30s." */
const SAID =
  /\b(?:(?:again|retry(?: your requests?)?|resets?) (?:in|after)|wait(?: for)?) ~?(?:(\d{1,9}(?:\.\d{1,9})?) ([smh])(?:ec(?:ond)?|in(?:ute)?|our)s?|(\d[\d.dhms ]{0,18}[dhms]))\b/i;

const saidMs = (message: string): number | undefined => {
  const said = SAID.exec(message.slice(0, 1000));
  if (!said) return undefined;
  const [, count, unit, short] = said;
  return durationMs(short === undefined ? `${count}${unit!.toLowerCase()}` : short.replaceAll(" ", ""));
};

/** Milliseconds from `now` (epoch milliseconds). `fromBody` is the dialect's reading of the body; an explicit header wins. */
export const retryHint = (
  headers: AnswerHeaders | undefined,
  fromBody: number | undefined,
  message: string | undefined,
  now: number,
): number | undefined =>
  retryHeader(headers, now) ?? fromBody ?? (headers && spentMs(headers, now)) ?? (message ? saidMs(message) : undefined);
