/** fal's queue: a request is enqueued, its status is polled, its result fetched. Images, video and transcription. */

import { listAt, numberAt, textAt } from "../../lib/json-at.ts";
import type { GeneratedImage, Transcription, TranscriptionRequest, VideoStatus } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { failedVideo, finishedVideo } from "./ended-video.ts";
import { falEdit } from "./fal-edit.ts";
import { generateEach } from "./generate-each.ts";
import { failedJob, moderated, required, soundsModerated } from "./media-error.ts";
import { gptImageInput, gptImagePixels, isGptImage } from "./openai-images.ts";
import { readTranscription } from "./read-transcription.ts";
import {
  type Adapter,
  isSamePlace,
  type MediaEndpoint,
  pollOrCancel,
  sendForJson,
  sendOnceForJson,
  vendorApi,
} from "./send-media-request.ts";

type Hearing = [model: string, request: TranscriptionRequest, context: CallContext];

/** What is stored of an enqueued request; as JSON it is a video's job id. */
type Ticket = { statusUrl: string; responseUrl: string; cancelUrl: string };

export const fal: Adapter<"image" | "edit" | "transcribe" | "translate" | "startVideo" | "videoStatus"> = (endpoint) => {
  const api = vendorApi(endpoint, "", { authorization: `Key ${endpoint.key}` });
  const hear = async (task: "transcribe" | "translate", ...[model, request, context]: Hearing): Promise<Transcription> => {
    const input = {
      audio_url: `data:${request.mediaType};base64,${request.bytes.toBase64()}`,
      task,
      chunk_level: "segment",
      // Without a language fal's Whisper assumes English; null detects it.
      language: request.language ?? null,
      ...(request.prompt !== undefined && { prompt: request.prompt }),
    };
    return readTranscription(await runToEnd(api, model, input, context));
  };
  return {
    image: (model, request, context) =>
      generateEach(request.n, async () => {
        const { prompt, width, height } = request;
        const asked = { prompt, image_size: { width, height }, num_images: 1 };
        const input = isGptImage(model) ? { ...asked, image_size: gptImagePixels(request), ...gptImageInput(request) } : asked;
        return parseFalImage(await runToEnd(api, model, input, context));
      }),
    edit: (model, request, context) => {
      const input = { ...falEdit(model, request), num_images: 1 };
      return generateEach(request.n, async () => parseFalImage(await runToEnd(api, model, input, context)));
    },
    transcribe: (...call) => hear("transcribe", ...call),
    translate: (...call) => hear("translate", ...call),
    startVideo: async (model, request, context) => {
      const input = {
        prompt: request.prompt,
        aspect_ratio: request.aspectRatio,
        resolution: request.resolution,
        duration: `${Math.round(request.durationSeconds)}s`,
      };
      return JSON.stringify(await enqueue(api, model, input, context));
    },
    videoStatus: async (_model, job, context) => {
      const ticket = JSON.parse(job) as Ticket;
      const status = parseFalStatus(await sendForJson(api, { url: ticket.statusUrl }, context));
      if (status.state !== "complete") return status;
      const result = await sendForJson(api, { url: ticket.responseUrl }, context);
      return finishedVideo(textAt(result, "video", "url") || textAt(result, "video"));
    },
  };
};

/** URLs in the answer are used if they are fal's own; else they are built from owner and app. */
const readFalTicket = ({ baseUrl }: MediaEndpoint, app: string, json: unknown): Ticket => {
  const id = required("request id", textAt(json, "request_id"));
  const own = `${baseUrl}/${app.split("/").slice(0, 2).join("/")}/requests/${encodeURIComponent(id)}`;
  const named = (name: string, otherwise: string) => {
    const url = textAt(json, name);
    return isSamePlace(url, baseUrl) ? url : otherwise;
  };
  return {
    statusUrl: named("status_url", `${own}/status`),
    responseUrl: named("response_url", own),
    cancelUrl: named("cancel_url", `${own}/cancel`),
  };
};

const enqueue = async (api: MediaEndpoint, app: string, input: Record<string, unknown>, context: CallContext): Promise<Ticket> =>
  readFalTicket(api, app, await sendOnceForJson(api, { url: `/${app}`, json: input }, context));

const runToEnd = async (
  api: MediaEndpoint,
  app: string,
  input: Record<string, unknown>,
  context: CallContext,
): Promise<unknown> => {
  const ticket = await enqueue(api, app, input, context);
  await pollOrCancel(
    api,
    async () => {
      const json = await sendForJson(api, { url: ticket.statusUrl }, context);
      const status = parseFalStatus(json);
      if (status.state === "failed") throw failedJob(wasModerated(json));
      return status.state === "complete" ? true : undefined;
    },
    context,
    { url: ticket.cancelUrl, method: "PUT", json: {} },
  );
  return sendForJson(api, { url: ticket.responseUrl }, context);
};

/** What a complete request has made is fetched by itself. */
type FalStatus = Exclude<VideoStatus, { state: "complete" }> | { state: "complete" };

const parseFalStatus = (json: unknown): FalStatus => {
  const status = textAt(json, "status");
  if (textAt(json, "error") !== "") return failedVideo(wasModerated(json));
  if (status === "COMPLETED") return { state: "complete" };
  if (status === "IN_QUEUE") return { state: "pending" };
  if (status === "IN_PROGRESS") return { state: "processing", ...progressOf(json) };
  return { state: "failed", message: "The upstream no longer knows the request." };
};

const wasModerated = (json: unknown): boolean => soundsModerated(`${textAt(json, "error")} ${textAt(json, "error_type")}`);

const progressOf = (json: unknown) => {
  const progress = numberAt(json, "progress");
  return progress === undefined ? {} : { progressPercent: Math.round(progress <= 1 ? progress * 100 : progress) };
};

const parseFalImage = (json: unknown): GeneratedImage => {
  const wasFlagged = [...listAt(json, "has_nsfw_concepts"), ...listAt(json, "nsfw_content_detected")].includes(true);
  if (wasFlagged) throw moderated();
  return { url: required("image", textAt(json, "images", 0, "url") || textAt(json, "image", "url")) };
};
