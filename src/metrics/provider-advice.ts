/** Advice from a provider's figures; each piece says what it rests on. */

import { changeOf, percent } from "../logs/sums/figures.ts";
import type { ProviderAverages, ProviderFigures } from "./provider-figures.ts";

const MANY_ERRORS = 0.05;
const LEAST_ATTEMPTS = 20;
const SLOWER = 0.5;
/** Smaller differences are not felt. */
const SLOWER_BY_MS = 100;

type Advice = { provider: string; message: string; action: string };

export const adviseOnProvider = (provider: string, now: ProviderFigures, before: ProviderAverages | undefined): Advice[] => {
  const advice: Advice[] = [];
  const say = (message: string, action: string) => void advice.push({ provider, message, action });
  if (now.status === "down")
    say("It has failed its latest calls.", "Check its status page and key; calls go to others meanwhile.");
  if (now.total_attempts < LEAST_ATTEMPTS) return advice;
  if (now.error_rate >= MANY_ERRORS) {
    say(
      `${percent(now.error_rate)} of ${now.total_attempts} attempts got no answer.`,
      "Prefer other providers for a while with a routing policy's `provider_block_list`.",
    );
  }
  if (now.rate_limit_hits > 0) {
    say(
      `The provider refused ${now.rate_limit_hits} of ${now.total_attempts} attempts for their rate.`,
      "Add a second key, or ask the provider for a higher limit.",
    );
  }
  const [nowMs, beforeMs] = [now.avg_latency_ms ?? 0, before?.avg_latency_ms ?? 0];
  const slower = changeOf(nowMs, beforeMs);
  if (slower !== null && slower >= SLOWER && nowMs - beforeMs >= SLOWER_BY_MS && before!.total_attempts >= LEAST_ATTEMPTS) {
    say(
      `Answers take ${Math.round(nowMs)} ms on average, ${percent(slower)} more than in the period before.`,
      "Set `latency_target_ms` in a routing policy where latency matters.",
    );
  }
  return advice;
};
