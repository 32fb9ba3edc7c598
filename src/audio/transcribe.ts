/**
 * The story of one transcription or translation: the length first (it decides price and limit), then an upstream, then segments if it gives
 * none.
 */

import type { Caller } from "../accounts/authenticate.ts";
import { type MediaTarget, type TranscriptionModel, transcriptionNanoUsd } from "../catalog/media-models.ts";
import { type AllowedPrompt, type Served, servePromptCall } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import { contentBlocked, withPrompt } from "../policies/content/content-evaluation.ts";
import { reviewTranscript } from "../policies/content/review-transcript.ts";
import type { ContentEvaluation } from "../policies/evaluation-schemas.ts";
import type { TimedWord, TranscriptionRequest } from "../providers/media-calls.ts";
import type { TargetsOutcome } from "../providers/targets/targets-call.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";
import { type Transcript, type TranscriptFormat, toTranscript } from "./render-transcript.ts";

export type TranscriptionOrder = TranscriptionRequest & {
  /** A translation is a transcript in English. */
  task: "transcribe" | "translate";
  model: TranscriptionModel;
  /** Those that can do it, if not all of the model's. */
  targets?: readonly MediaTarget[];
  format: TranscriptFormat;
  userId?: string;
  signal: AbortSignal;
};

export type TranscriptionAnswer = {
  transcript: Transcript;
  /** Present if requested, supported by the upstream, and the text was not changed by a policy. */
  words?: readonly TimedWord[];
  /** ISO-639-1, if known. */
  language?: string;
  model: string;
  durationSeconds: number;
  costNanoUsd: number;
  /** Present if content policies are configured. */
  contentEvaluation?: ContentEvaluation;
};

export const TRANSCRIPTION_PATH = "/v1/audio/transcriptions";
export const TRANSLATION_PATH = "/v1/audio/translations";

/** Counts the minutes against the day. Throws 429, 400, 403 `CONTENT_BLOCKED` or 503. */
export const transcribe = (platform: Platform, caller: Caller, order: TranscriptionOrder): Promise<Served<TranscriptionAnswer>> =>
  servePromptCall(platform, caller, {
    route: order.task === "translate" ? TRANSLATION_PATH : TRANSCRIPTION_PATH,
    model: order.model,
    ...(order.targets && { targets: order.targets }),
    texts: [order.prompt ?? ""],
    userId: order.userId,
    asked: {
      response_format: order.format,
      language: order.language ?? null,
      audio_seconds: order.durationSeconds,
      bytes: order.bytes.length,
    },
    counts: { group: "transcription", amount: order.durationSeconds / 60 },
    estimateNanoUsd: transcriptionNanoUsd(order.model, order.durationSeconds),
    make: (allowed) => makeTranscript(platform, caller, order, allowed),
    settle: ({ transcript, contentEvaluation }) => ({
      outputText: transcript.text,
      contentEvaluation,
      // The upstream is paid even if a policy then withholds the result.
      ...(contentEvaluation?.result === "block" && { refusal: contentBlocked(contentEvaluation) }),
    }),
  });

const makeTranscript = async (
  platform: Platform,
  caller: Caller,
  { task, model, signal, ...asked }: TranscriptionOrder,
  { prompt, targets, found }: AllowedPrompt,
): Promise<TargetsOutcome<TranscriptionAnswer>> => {
  const { durationSeconds, language } = asked;
  const request: TranscriptionRequest = { ...asked, prompt: prompt || undefined };
  const outcome = await tryTargets(platform, {
    caller,
    signal,
    what: model.id,
    targets,
    service: task,
    use: (provider, target, context) => provider[task]!(target.model, request, context),
  });
  if (!outcome.ok) return outcome;
  const { text, segments, words, language: heard } = outcome.value;
  const said = toTranscript(text, segments, durationSeconds);
  const review = await reviewed(platform, caller, said, found);
  const value = {
    ...review,
    words: asked.words && isSame(review.transcript, said) ? words : undefined,
    language: task === "translate" ? "en" : (heard ?? language),
    model: model.id,
    durationSeconds,
    costNanoUsd: transcriptionNanoUsd(model, durationSeconds),
  };
  return { ...outcome, value };
};

const isSame = (one: Transcript, other: Transcript): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Applies the project's content policies to the transcript, as to any model text (decisions §7). Gap: judged criteria are for chat only.
 */
const reviewed = async (
  platform: Platform,
  caller: Caller,
  transcript: Transcript,
  found: ContentEvaluation | undefined,
): Promise<Pick<TranscriptionAnswer, "transcript" | "contentEvaluation">> => {
  const { output } = await platform.policies.of(caller.project.id);
  if (output === undefined) return { transcript, ...(found && { contentEvaluation: found }) };
  const { review, text, segments } = reviewTranscript(output, transcript.text, transcript.segments);
  return { transcript: { text, segments }, contentEvaluation: withPrompt(found, review.evaluation) };
};
