/** The form of an API key: mode, 32 random characters and a checksum, so that a typo is refused without a look-up (decisions §3). */

import { randomBase62, toBase62 } from "../lib/base62.ts";
import { digest } from "../lib/digest.ts";
import type { BudgetPeriod } from "./budget-period.ts";

export type Mode = "live" | "test";

export const SCOPES = ["chat", "media", "documents", "memory", "search", "metrics", "logs", "policies", "schemas"] as const;
export type Scope = (typeof SCOPES)[number];

export type ApiKey = {
  id: string;
  projectId: string;
  name: string;
  mode: Mode;
  lastFour: string;
  /** null = all scopes. */
  scopes: Scope[] | null;
  /** Ids of models, and `provider/*` for all models of a provider; null = all models. */
  models: string[] | null;
  budgetNanoUsd: number | null;
  budgetPeriod: BudgetPeriod;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  lastUsedAtMs: number | null;
  createdAtMs: number;
  /** Shown in logs instead of the key; neither the key nor the stored digest can be derived from it. */
  logHash: string;
};

const KEY = /^pk_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const checksum = (random: string): string => toBase62(Bun.hash.crc32(random), 6);

export const newApiKeyText = (mode: Mode): string => {
  const random = randomBase62(32);
  return `pk_${mode}_${random}${checksum(random)}`;
};

export const isWellFormedKey = (text: string): boolean => {
  const [, , random, sum] = KEY.exec(text) ?? [];
  return random !== undefined && checksum(random) === sum;
};

/** What is stored and looked up: SHA-256, hex. Keys hold 190 random bits, so a slow hash would add nothing. */
export const hashApiKey = (text: string): string => digest(text);

/** A digest of the stored digest, shortened. */
export const logHashOf = (secretHash: string): string => digest(`log:${secretHash}`).slice(0, 16);
