/** The terms of a key, which its owner can change: what it may do, how much of it, and until when. */

import { toIso } from "../lib/clock.ts";
import { toUsd } from "../lib/money.ts";
import { parseIso } from "../lib/parse-iso.ts";
import type { ApiKey } from "./api-key.ts";

export type KeyTerms = Pick<
  ApiKey,
  "name" | "scopes" | "models" | "budgetNanoUsd" | "budgetPeriod" | "requestsPerMinute" | "tokensPerMinute" | "expiresAtMs"
>;

/** As programs read and write them. */
export const toWireTerms = (terms: KeyTerms) => ({
  name: terms.name,
  scopes: terms.scopes,
  models: terms.models,
  budget_usd: terms.budgetNanoUsd === null ? null : toUsd(terms.budgetNanoUsd),
  budget_period: terms.budgetPeriod,
  requests_per_minute: terms.requestsPerMinute,
  tokens_per_minute: terms.tokensPerMinute,
  expires_at: toIso(terms.expiresAtMs),
});

/** Of a key that may do everything. */
export const UNLIMITED: Omit<KeyTerms, "name"> = {
  scopes: null,
  models: null,
  budgetNanoUsd: null,
  budgetPeriod: "month",
  requestsPerMinute: null,
  tokensPerMinute: null,
  expiresAtMs: null,
};

export const MOST_BUDGET_USD = 1_000_000;
export const MOST_PER_MINUTE = 1_000_000_000;
export const MOST_MODELS = 200;

/** Later dates have no four-digit year. */
export const FURTHEST_MS = Date.UTC(9999, 11, 31);

/** Epoch ms of an ISO date or time, UTC if it has no offset; NaN for invalid text, and for dates too far ahead. */
export const parseExpiry = (text: string): number => {
  const at = parseIso(text)?.ms ?? Number.NaN;
  return at <= FURTHEST_MS ? at : Number.NaN;
};
