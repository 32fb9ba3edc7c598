/** Rule 6: a prompt that asks for an image, a video or speech is handed to the feature that makes it; the answer's content is the URL. */

import { ApiError } from "../../api-error.ts";
import { speakToFile } from "../../audio/speak-to-file.ts";
import { IMAGE_DEFAULTS, SPEECH_DEFAULTS, VIDEO_DEFAULTS } from "../../catalog/media-defaults.ts";
import { findImageModel, findSpeechModel, findVideoModel } from "../../catalog/media-models.ts";
import { makeImages } from "../../images/generate-image.ts";
import { toUsd, usdText } from "../../lib/money.ts";
import { toFourDecimals } from "../../lib/round.ts";
import { toAttempts } from "../../media/record-prompt-call.ts";
import type { Platform } from "../../platform.ts";
import type { ActivePolicies } from "../../policies/active-policies.ts";
import { nothingFound } from "../../policies/content/content-evaluation.ts";
import { type ChatRequest, type ChatResult, noUsage } from "../../providers/provider.ts";
import { type TargetAttempt, type TargetsOutcome, wasAbandoned } from "../../providers/targets/targets-call.ts";
import { makeVideo } from "../../video/start-video.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import { reviewRequest } from "../context/review-request.ts";
import { openMemory } from "../context/session-memory.ts";
import { wantsSchema } from "../request/chat-input.ts";
import type { Svc } from "../response/completion-schema.ts";
import { chooseMedia, type MediaChoice, type MediaOption, mayMake } from "./choose-media.ts";

type Made = { content: string; media: Omit<Svc["media"] & object, "cost_usd">; costNanoUsd: number };

/**
 * Requests with JSON output, a schema, documents, tools or named models want text, whatever the words say. A key without the scope
 * `media`, or without a model that makes such media, cannot spend on media.
 */
export const asksForMedia = (platform: Platform, { classification, input, named, caller }: CallDraft): boolean =>
  classification.media !== "none" &&
  named.all.length === 0 &&
  !wantsSchema(input) &&
  input.documents.length === 0 &&
  input.request.tools === undefined &&
  input.request.outputFormat === undefined &&
  (caller.key.scopes === null || caller.key.scopes.includes("media")) &&
  mayMake(platform, caller.key, classification.media);

/** The answer, and the request as it was understood. Throws the errors of the media endpoints. The log has one row, that of the chat call. */
export const answerWithMedia = async (
  platform: Platform,
  draft: CallDraft,
  policies: ActivePolicies,
): Promise<{ request: ChatRequest; result: ChatResult }> => {
  await openMemory(platform, draft);
  const asked = { ...draft.input.request, messages: [...(draft.said ?? []), ...draft.input.request.messages] };
  const request = await reviewRequest(platform, draft, policies.input, asked);
  // The answer is a URL, so policies have nothing to find in it.
  if (policies.output !== undefined) draft.contentEvaluation ??= nothingFound(policies.output.phase);
  const choice = chooseMedia(platform, draft, request, policies.routing);
  draft.kind = choice.options[0]!.kind;
  const { option, outcome } = await makeInTurn(platform, draft, choice);
  if (!outcome.ok) {
    if (option.kind === "image" && !wasAbandoned(outcome.attempts))
      platform.limits.refund(draft.caller, "images", 1, draft.caller.startedAtMs);
    throw inChat(outcome.error);
  }
  const { content: text, media, costNanoUsd } = outcome.value;
  draft.answer = { model: option.id, provider: outcome.target.provider, text, toolCalls: [] };
  draft.checked = { validationPassed: true, qualityScore: 1 };
  draft.svc.media = { ...media, cost_usd: toUsd(costNanoUsd) };
  return { request, result: { text, toolCalls: [], finishReason: "stop", usage: noUsage(), usageSource: "none" } };
};

export const mediaReason = ({ kind, id, costNanoUsd }: MediaOption): string =>
  `The prompt asks for ${kind === "image" ? "an image" : kind === "video" ? "a video" : "speech"}; ${id} makes it for ${usdText(costNanoUsd)} USD.`;

/** The media endpoints' `param` names a field that a chat request does not have. */
const inChat = ({ type, message, options }: ApiError): ApiError =>
  new ApiError(type, message, options.param === undefined ? options : { ...options, param: "messages" });

type Tried = { option: MediaOption; outcome: TargetsOutcome<Made> };

/**
 * If no upstream of the chosen image model could make the picture, the next model is asked. Not for videos: the job may exist although its
 * creation seemed to fail.
 */
const makeInTurn = async (platform: Platform, draft: CallDraft, { options, prompt }: MediaChoice): Promise<Tried> => {
  const attempt = async (option: MediaOption): Promise<Tried> => {
    const reason = mediaReason(option);
    const confidence = toFourDecimals(draft.classification.mediaConfidence);
    draft.routing = { first_choice: options[0]!.id, reason, confidence, candidates: [] };
    draft.reservation.require(spentNanoUsd(draft) + option.costNanoUsd);
    const outcome = await make(platform, draft, option, prompt);
    noteAttempts(draft, option.id, outcome.attempts, outcome.ok ? outcome.value.costNanoUsd : option.costNanoUsd);
    return { option, outcome };
  };
  const first = await attempt(options[0]!);
  const another = options.find(({ provider }) => provider !== first.option.provider);
  const couldNot = !first.outcome.ok && !first.outcome.cancelled && first.outcome.error.type === "service_unavailable";
  if (!couldNot || first.option.kind !== "image" || another === undefined) return first;
  // The next attempt is counted again, but one image was requested.
  platform.limits.uncount(draft.caller, "images", draft.caller.startedAtMs);
  return attempt(another);
};

const make = async (
  platform: Platform,
  draft: CallDraft,
  { kind, id, targets }: MediaOption,
  prompt: string,
): Promise<TargetsOutcome<Made>> => {
  const { caller, input, signal } = draft;
  const about = { targets, ...(input.userId !== undefined && { userId: input.userId }) };
  if (kind === "image") {
    const model = findImageModel(id)!;
    platform.limits.admit(caller, "images");
    return map(
      await makeImages(platform, caller, { ...about, ...IMAGE_DEFAULTS, model, prompt, signal }),
      ({ images, costNanoUsd }) => {
        const url = images[0]?.url ?? "";
        return { content: url, media: { type: "image", model: id, url }, costNanoUsd };
      },
    );
  }
  if (kind === "video") {
    const model = findVideoModel(id)!;
    return map(await makeVideo(platform, caller, { ...about, ...VIDEO_DEFAULTS, model, prompt }), (job) => ({
      content: `${caller.origin}/v1/video/generations/${job.id}`,
      media: { type: "video", model: id, job_id: job.id },
      costNanoUsd: job.costNanoUsd,
    }));
  }
  const model = findSpeechModel(id)!;
  platform.limits.admit(caller, "speech");
  const speech = { input: prompt, voice: "alloy", ...SPEECH_DEFAULTS } as const;
  return map(await speakToFile(platform, caller, { ...about, ...speech, model, signal }), ({ url, costNanoUsd }) => ({
    content: url,
    media: { type: "speech", model: id, url },
    costNanoUsd,
  }));
};

const map = <From, To>(outcome: TargetsOutcome<From>, change: (value: From) => To): TargetsOutcome<To> =>
  outcome.ok ? { ...outcome, value: change(outcome.value) } : outcome;

const noteAttempts = (draft: CallDraft, model: string, attempts: readonly TargetAttempt[], costNanoUsd: number): void => {
  const earlier = draft.attempts.length;
  const isFallback = model !== draft.routing!.first_choice;
  for (const attempt of toAttempts(attempts, model, costNanoUsd)) {
    draft.attempts.push({ ...attempt, number: earlier + attempt.number, ...(isFallback && { purpose: "fallback" }) });
    draft.upstreamMs += attempt.latencyMs;
  }
};
