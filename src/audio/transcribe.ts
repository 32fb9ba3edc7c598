/** The story of one transcription: length first (it decides price and limit), an upstream that can, segments made where it gives none. */

import type { Caller } from "../accounts/authenticate.ts";
import { type TranscriptionModel, transcriptionNanoUsd } from "../catalog/media-models.ts";
import { targetsOf } from "../catalog/media-targets.ts";
import { serveMediaCall } from "../logs/serve-media-call.ts";
import type { Platform } from "../platform.ts";
import { tryTargets } from "../providers/try-targets.ts";
import { type Transcript, toTranscript } from "./render-transcript.ts";
import type { TranscriptFormat } from "./wire.ts";

export type TranscriptionOrder = {
  model: TranscriptionModel;
  bytes: Uint8Array;
  filename: string;
  mediaType: string;
  format: TranscriptFormat;
  language?: string;
  prompt?: string;
  userId?: string;
  /** Measured, seconds. */
  durationSeconds: number;
  route: string;
  signal: AbortSignal;
};

export type TranscriptionAnswer = {
  transcript: Transcript;
  /** ISO-639-1 where it is known. */
  language?: string;
  model: string;
  costNanoUsd: number;
  latencyMs: number;
};

/** A long recording takes a while. */
const FIRST_BYTES_OF_PATIENCE = 5;

/** Counts the minutes against the day. Throws 429, 400 or 503. */
export const transcribe = async (platform: Platform, caller: Caller, order: TranscriptionOrder): Promise<TranscriptionAnswer> => {
  const costNanoUsd = transcriptionNanoUsd(order.model, order.durationSeconds);
  const minutes = order.durationSeconds / 60;
  platform.limits.admitDaily(caller, "transcription", minutes);
  let answered = false;
  try {
    const answer = await serveMediaCall(platform, caller, {
      kind: "transcription",
      route: order.route,
      model: order.model.id,
      promptText: order.prompt ?? "",
      userId: order.userId,
      asked: {
        response_format: order.format,
        language: order.language ?? null,
        audio_seconds: order.durationSeconds,
        bytes: order.bytes.length,
      },
      estimateNanoUsd: costNanoUsd,
      make: () => makeTranscript(platform, caller, order, costNanoUsd),
      settle: ({ transcript }) => ({ costNanoUsd, outputText: transcript.text }),
    });
    answered = true;
    return answer;
  } finally {
    if (!answered) platform.limits.refund(caller, "transcription", minutes);
  }
};

const makeTranscript = async (platform: Platform, caller: Caller, order: TranscriptionOrder, costNanoUsd: number) => {
  const { bytes, filename, mediaType, language, prompt, durationSeconds } = order;
  const request = {
    bytes,
    filename,
    mediaType,
    durationSeconds,
    needsSegments: order.format !== "json" && order.format !== "text",
    ...(language !== undefined && { language }),
    ...(prompt !== undefined && { prompt }),
  };
  const outcome = await tryTargets(platform, {
    mode: caller.mode,
    requestId: caller.requestId,
    traceparent: caller.traceparent,
    signal: order.signal,
    what: order.model.id,
    targets: targetsOf(platform.config.file, order.model),
    service: "transcribe",
    attemptMs: platform.config.timeouts.firstByteMs * FIRST_BYTES_OF_PATIENCE,
    param: "file",
    use: (provider, target, context) => provider.transcribe!(target.model, request, context),
  });
  if (!outcome.ok) return outcome;
  const { text, segments, language: heard } = outcome.value;
  const known = heard ?? language;
  const value: TranscriptionAnswer = {
    transcript: toTranscript(text, segments, durationSeconds),
    ...(known !== undefined && { language: known }),
    model: order.model.id,
    costNanoUsd,
    latencyMs: Math.round(platform.clock.now() - caller.startedAtMs),
  };
  return { ...outcome, value };
};
