import { expect, test } from "bun:test";
import { mapOpenAiError } from "../../../src/providers/openai/map-error.ts";
import { retryHint } from "../../../src/providers/upstream/retry-hint.ts";

const NOW = Date.parse("2026-01-02T03:04:05.000Z");
const hint = (headers: Record<string, string>, fromBody?: number, message?: string) =>
  retryHint(new Headers(headers), fromBody, message, NOW);

test("what is asked for directly wins over the body, the body over limits, limits over words", () => {
  const limits = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "3s" };
  const words = "Please try again in 4s.";
  expect(hint({ ...limits, "retry-after-ms": "1500", "retry-after": "9" }, 2000, words)).toBe(1500);
  expect(hint({ ...limits, "retry-after": "9" }, 2000, words)).toBe(9000);
  expect(hint({ ...limits, "retry-after": "Fri, 02 Jan 2026 03:04:35 GMT" }, 2000, words)).toBe(30_000);
  expect(hint(limits, 2000, words)).toBe(2000);
  expect(hint({ ...limits, "x-retry-after": "9" }, 2000, words)).toBe(9000);
  expect(hint(limits, undefined, words)).toBe(3000);
  expect(hint({}, undefined, words)).toBe(4000);
});

test("a header that cannot be read is passed over", () => {
  expect(hint({ "retry-after-ms": "", "retry-after": "9" })).toBe(9000);
  expect(hint({ "retry-after-ms": "soon", "retry-after": "9" })).toBe(9000);
  for (const value of ["7, 7", "-3", "1e999", "soon", ""]) expect(hint({ "retry-after": value })).toBeUndefined();
});

test("of the limits the spent ones count, and of those the one that lasts longest", () => {
  const requests = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6ms" };
  const tokens = (left: string) => ({ "x-ratelimit-remaining-tokens": left, "x-ratelimit-reset-tokens": "1m30.5s" });
  expect(hint({ ...requests, ...tokens("0") })).toBe(90_500);
  expect(hint({ ...requests, ...tokens("12") })).toBe(6);
  expect(hint(tokens("12"))).toBeUndefined();
});

test("a limit may have any name, and need not say what remains of it", () => {
  expect(hint({ "ratelimit-limit": "10", "ratelimit-remaining": "0", "ratelimit-reset": "4" })).toBe(4000);
  const ofDay = { "x-ratelimit-remaining-requests-day": "100", "x-ratelimit-reset-requests-day": "33011" };
  const ofMinute = { "x-ratelimit-remaining-tokens-minute": "0", "x-ratelimit-reset-tokens-minute": "31.5" };
  expect(hint({ ...ofDay, ...ofMinute })).toBe(31_500);
  const unclear = { "x-ratelimit-reset-requests": "3s", "x-ratelimit-reset-day": "9h" };
  expect(hint(unclear)).toBe(3000);
  expect(hint({ ...unclear, ...ofDay, ...ofMinute })).toBe(31_500);
});

test("a header may tell of several limits in the same order (Brave)", () => {
  const brave = (remaining: string) => ({ "x-ratelimit-remaining": remaining, "x-ratelimit-reset": "1, 1419704" });
  expect(hint(brave("0, 1523"))).toBe(1000);
  expect(hint(brave("0, 0"))).toBe(1_419_704_000);
  expect(hint(brave("1, 1523"))).toBeUndefined();
  expect(hint(brave("0"))).toBe(1000);
});

test("the IETF's header tells of each limit what remains of it, in two forms", () => {
  expect(hint({ ratelimit: '"default";r=0;t=30' })).toBe(30_000);
  expect(hint({ ratelimit: '"minute";r=0;t=30, "day";r=0;pk=:cA==:;t=3600, "tokens";r=5;t=9000' })).toBe(3_600_000);
  expect(hint({ ratelimit: '"default";t=30;r=0' })).toBe(30_000);
  expect(hint({ ratelimit: "limit=10, remaining=0, reset=4" })).toBe(4000);
  for (const ratelimit of ['"default";r=10;t=30', '"default";r=0, "day";r=5;t=30', ""])
    expect(hint({ ratelimit })).toBeUndefined();
});

test("a moment may be a date, seconds or milliseconds since 1970, or seconds from now", () => {
  const generic = (reset: string) => hint({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset });
  expect(generic(String(NOW + 5000))).toBe(5000);
  expect(generic(String(NOW / 1000 + 7))).toBe(7000);
  expect(generic("12")).toBe(12_000);
  expect(generic("2020-01-01T00:00:00Z")).toBe(0);
  expect(generic("soon")).toBeUndefined();
  const anthropic = {
    "anthropic-ratelimit-input-tokens-remaining": "0",
    "anthropic-ratelimit-input-tokens-reset": "2026-01-02T03:05:05Z",
  };
  expect(hint(anthropic)).toBe(60_000);
});

test("a moment is meant by the clock of who names it", () => {
  const date = "Fri, 02 Jan 2026 04:34:05 GMT";
  expect(hint({ date, "retry-after": "Fri, 02 Jan 2026 04:34:12 GMT" })).toBe(7000);
  expect(hint({ date, "retry-after": "7" })).toBe(7000);
  expect(hint({ date, "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2026-01-02T04:34:08Z" })).toBe(3000);
  expect(hint({ date: "today", "retry-after": "Fri, 02 Jan 2026 03:04:12 GMT" })).toBe(7000);
});

test("a wait may stand in words alone", () => {
  const said = (message: string) => hint({}, undefined, message);
  expect(said("Limit reached. Please retry after 6 seconds.")).toBe(6000);
  expect(said("Please retry after 1 second.")).toBe(1000);
  expect(said("Please retry in 26.5s.")).toBe(26_500);
  expect(said("Try again in 2 minutes.")).toBe(120_000);
  expect(said("Please wait 20 seconds before you go on.")).toBe(20_000);
  expect(said("Please retry in 12 s.")).toBe(12_000);
  expect(said("Request was throttled. Your rate limit resets in ~30s.")).toBe(30_000);
  expect(said("Please try again in 1m 5.5s. Visit the console.")).toBe(65_500);
  expect(said("Please try your request again in 500 ms")).toBe(500);
  expect(said("Please retry your requests after 26 Seconds.")).toBe(26_000);
  expect(said("Your quota will reset after 6m0s.")).toBe(360_000);
  for (const vague of ["Please try again in a while.", "Please try again in 2 months."]) expect(said(vague)).toBeUndefined();
});

test("limits that come with another failure say nothing of it", () => {
  const headers = new Headers({ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "3s" });
  const of = (status: number) => mapOpenAiError({ provider: "P", status, headers, body: "" }).details.retryAfterMs;
  expect([of(429), of(500)]).toEqual([3000, undefined]);
});

test("OpenRouter tells the reset of its limit in the body", () => {
  const at = Date.now() + 60_000;
  const error = { message: "limited", code: 429, metadata: { headers: { "X-RateLimit-Reset": String(at) } } };
  const { details } = mapOpenAiError({ provider: "P", status: 429, body: { error } });
  expect(details.retryAfterMs).toBeGreaterThan(0);
  expect(details.retryAfterMs).toBeLessThanOrEqual(60_000);
});
