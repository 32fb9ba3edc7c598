/** Speech as a link, for chat (rule 6): the same story, with the bytes stored for a day instead of streamed. */

import type { Caller } from "../accounts/authenticate.ts";
import { serviceUnavailable } from "../api-error.ts";
import { speechNanoUsd } from "../catalog/media-models.ts";
import { keepForCaller, MEDIA_LIFETIME_MS } from "../files/keep-file.ts";
import type { Routed } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { TargetsOutcome } from "../providers/targets/targets-call.ts";
import { brokenOff, makeSpeech, passThrough, type SpeechOrder } from "./speak.ts";
import { SPEECH_MEDIA_TYPES } from "./speech-wire.ts";

type SpokenFile = { url: string; costNanoUsd: number };

/** Without ledger and budget, for callers that handle these themselves. */
export const speakToFile = async (
  platform: Platform,
  caller: Caller,
  order: Routed<SpeechOrder>,
): Promise<TargetsOutcome<SpokenFile>> => {
  const outcome = await makeSpeech(platform, caller, order);
  if (!outcome.ok) return outcome;
  const bytes = await new Response(passThrough(outcome.value)).bytes().catch(() => undefined);
  if (bytes === undefined) {
    const error = serviceUnavailable("The upstream broke off the audio.", 5, false);
    const cancelled = order.signal.aborted;
    const attempts = outcome.attempts.map((attempt) => ({
      ...brokenOff(attempt),
      ...(cancelled && attempt.success && { abandoned: true as const }),
    }));
    return { ok: false, attempts, error, cancelled };
  }
  const url = await keepForCaller(platform, caller, {
    userId: order.userId,
    mediaType: SPEECH_MEDIA_TYPES[order.format],
    label: "speech",
    extension: order.format,
    bytes,
    lifetimeMs: MEDIA_LIFETIME_MS,
  });
  return { ...outcome, value: { url, costNanoUsd: speechNanoUsd(order.model, order.input) } };
};
