/** What is left of a limit, as headers and `GET /v1/usage` show it. */

import { thousandths } from "./exceeded.ts";

/** For the X-RateLimit headers. */
export type RateState = { limit: number; remaining: number; resetSeconds: number };

export type UsageOfLimit = { limit: number | null; used: number; remaining: number | null; resetsAtMs: number | null };

export const usedOf = (limit: number | null, used: number, resetsAtMs: number | null): UsageOfLimit => ({
  limit,
  used: thousandths(used),
  remaining: limit === null ? null : thousandths(Math.max(0, limit - used)),
  resetsAtMs,
});
