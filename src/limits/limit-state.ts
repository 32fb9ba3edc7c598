/** How a limit stands, as headers, refusals and `GET /v1/usage` tell it. */

/** `Figure`: also null where something has no limit, or never begins anew. */
type State<Figure extends number | null> = { limit: Figure; used: number; remaining: Figure; resetsAtMs: Figure };
export type LimitState = State<number>;
export type UsageOfLimit = State<number | null>;

export const stateOf = <Figure extends number | null>(limit: Figure, used: number, resetsAtMs: Figure): State<Figure> => ({
  limit,
  used: thousandths(used),
  remaining: (limit === null ? null : thousandths(Math.max(0, limit - used))) as Figure,
  resetsAtMs,
});

/** Minutes of audio are fractions. */
export const thousandths = (amount: number): number => Math.round(amount * 1000) / 1000;

export const rateHeaders = ({ limit, remaining, resetsAtMs }: LimitState) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(Math.floor(remaining)),
  "x-ratelimit-reset": String(Math.ceil(resetsAtMs / 1000)),
});
