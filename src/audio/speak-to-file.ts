/** Speech as a link, for chat (rule 6): the same story, its bytes kept for a day instead of streamed. */

import type { Caller } from "../accounts/authenticate.ts";
import { speechNanoUsd } from "../catalog/media-models.ts";
import { fileUrl, keepFile, MEDIA_LIFETIME_MS } from "../files/keep-file.ts";
import type { Platform } from "../platform.ts";
import type { TargetsOutcome } from "../providers/try-targets.ts";
import { makeSpeech, type SpeechOrder } from "./speak.ts";
import { SPEECH_MEDIA_TYPES } from "./wire.ts";

export type SpokenFile = { url: string; model: string; costNanoUsd: number };

/** Without ledger and budget: for a story that keeps its own books. */
export const speakToFile = async (
  platform: Platform,
  caller: Caller,
  order: SpeechOrder,
): Promise<TargetsOutcome<SpokenFile>> => {
  const outcome = await makeSpeech(platform, caller, order);
  if (!outcome.ok) return outcome;
  const { first, rest } = outcome.value;
  const pieces = [first];
  for (let piece = await rest.read(); !piece.done; piece = await rest.read()) pieces.push(piece.value);
  const file = await keepFile(platform, {
    projectId: caller.project.id,
    userId: order.userId,
    mediaType: SPEECH_MEDIA_TYPES[order.format],
    label: "speech",
    extension: order.format,
    bytes: Buffer.concat(pieces),
    lifetimeMs: MEDIA_LIFETIME_MS,
  });
  return {
    ...outcome,
    value: {
      url: fileUrl(platform.db, caller.origin, file),
      model: order.model.id,
      costNanoUsd: speechNanoUsd(order.model, order.input),
    },
  };
};
