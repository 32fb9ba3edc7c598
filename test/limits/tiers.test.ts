/** The figures of the tier table, as the contract lists them: each line from free to enterprise. */

import { expect, test } from "bun:test";
import { TIER_LIMITS, TIERS, type TierLimits } from "../../src/limits/tiers.ts";

const GB = 1e9;
const none = null;

test.each<[string, (limits: TierLimits) => unknown, unknown[]]>([
  ["chat a minute", ({ groups }) => groups.chat.perMinute, [60, 120, 300, 600, 1_200, none]],
  ["chat a day", ({ groups }) => groups.chat.perDay, [1_000, 10_000, 100_000, 250_000, 1_000_000, none]],
  ["embeddings a minute", ({ groups }) => groups.embeddings.perMinute, [60, 120, 300, 600, 1_200, none]],
  ["embeddings a day", ({ groups }) => groups.embeddings.perDay, [1_000, 10_000, 100_000, 250_000, 1_000_000, none]],
  ["streams at once", ({ groups }) => groups.streams.concurrent, [3, 5, 10, 25, 50, none]],
  ["images a minute", ({ groups }) => groups.images.perMinute, [5, 10, 30, 60, 120, none]],
  ["images a day", ({ groups }) => groups.images.perDay, [50, 200, 1_000, 2_500, 10_000, none]],
  ["videos at once", ({ groups }) => groups.video.concurrent, [1, 2, 5, 10, 20, none]],
  ["videos a day", ({ groups }) => groups.video.perDay, [5, 20, 100, 250, 1_000, none]],
  ["speech a minute", ({ groups }) => groups.speech.perMinute, [10, 20, 60, 120, 240, none]],
  ["minutes of audio a day", ({ groups }) => groups.transcription.perDay, [10, 60, 500, 1_500, 5_000, none]],
  ["metrics a minute", ({ groups }) => groups.metrics.perMinute, [10, 20, 60, 120, 200, 300]],
  ["logs a minute", ({ groups }) => groups.logs.perMinute, [30, 60, 120, 240, 400, 600]],
  ...(["documents", "memory", "policies", "schemas", "search"] as const).map(
    (name): [string, (limits: TierLimits) => unknown, unknown[]] => [
      `${name} a minute`,
      ({ groups }) => groups[name].perMinute,
      [30, 60, 120, 240, 480, none],
    ],
  ),
  ["USD a search", ({ searchPriceNanoUsd }) => searchPriceNanoUsd / 1e9, [0.015, 0.015, 0.012, 0.011, 0.01, 0.01]],
  ["days in the log", ({ logRetentionDays }) => logRetentionDays, [7, 30, 90, 180, 365, 730]],
  ["exports as CSV", ({ logExports }) => logExports.includes("csv"), [false, false, true, true, true, true]],
  ["exports as Parquet", ({ logExports }) => logExports.includes("parquet"), [false, false, false, false, false, true]],
  ["calls a page", ({ logsPerPage }) => logsPerPage, [100, 500, 1_000, 1_000, 1_000, 10_000]],
  ["policies", ({ maxPolicies }) => maxPolicies, [0, 3, 10, 25, 50, 1_000]],
  ["documents", ({ documents }) => documents?.count ?? 0, [0, 0, 500, 5_000, 50_000, 500_000]],
  ["bytes of documents", ({ documents }) => documents?.bytes ?? 0, [0, 0, GB, 10 * GB, 100 * GB, 1_000 * GB]],
  ["collections", ({ documents }) => documents?.collections ?? 0, [0, 0, 10, 50, 500, 5_000]],
  ["tokens of a session", ({ memory }) => memory?.tokens ?? 0, [0, 0, 100_000, 500_000, 2_000_000, 10_000_000]],
  ["sessions", ({ memory }) => memory?.sessions ?? 0, [0, 0, 100, 1_000, 10_000, 100_000]],
  ["days of memory", ({ memory }) => memory?.retentionDays ?? 0, [0, 0, 30, 90, 365, 730]],
])("%s", (_, of, figures) => expect(TIERS.map((tier) => of(TIER_LIMITS[tier]))).toEqual(figures));
