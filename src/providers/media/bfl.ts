/** Black Forest Labs' FLUX: one image a task, polled until it is ready. */

import { textAt } from "../../lib/json-at.ts";
import type { GeneratedImage, ImageRequest } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { generateEach } from "./generate-each.ts";
import { emptyAnswer, moderated } from "./media-error.ts";
import {
  isSamePlace,
  type MediaEndpoint,
  type MediaRequest,
  pollUntil,
  sendForJson,
  sendOnceForJson,
  withVersion,
} from "./send-media-request.ts";

const POLL_MS = 700;

export const bfl = (endpoint: MediaEndpoint) => ({
  image: (model: string, request: ImageRequest, context: CallContext): Promise<GeneratedImage[]> =>
    generateEach(request.n, () => oneImage(endpoint, model, request, context)),
});

const oneImage = async (
  endpoint: MediaEndpoint,
  model: string,
  request: ImageRequest,
  context: CallContext,
): Promise<GeneratedImage> => {
  const task = await sendOnceForJson(endpoint, buildBflTask(endpoint, model, request), context);
  const look = buildBflPoll(endpoint, task);
  return pollUntil(async () => parseBflResult(await sendForJson(endpoint, look, context)), endpoint.pollMs ?? POLL_MS, context);
};

const headers = (endpoint: MediaEndpoint) => ({ "x-key": endpoint.key ?? "", accept: "application/json" });

const buildBflTask = (endpoint: MediaEndpoint, model: string, request: ImageRequest): MediaRequest => ({
  url: `${withVersion(endpoint.baseUrl, "/v1")}/${model}`,
  headers: headers(endpoint),
  json: { prompt: request.prompt, width: side(request.width), height: side(request.height), output_format: "png" },
});

/** FLUX takes multiples of 32 from 256 to 1440. */
const side = (pixels: number): number => Math.min(1440, Math.max(256, Math.round(pixels / 32) * 32));

/** The polling URL in the answer is used only if it is the vendor's own, because the key goes along. */
export const buildBflPoll = (endpoint: MediaEndpoint, task: unknown): MediaRequest => {
  const named = textAt(task, "polling_url");
  if (isSamePlace(named, endpoint.baseUrl)) return { url: named, headers: headers(endpoint) };
  const id = textAt(task, "id");
  if (id === "") throw emptyAnswer("task id");
  return { url: `${withVersion(endpoint.baseUrl, "/v1")}/get_result?id=${encodeURIComponent(id)}`, headers: headers(endpoint) };
};

/** Undefined while the task runs. */
const parseBflResult = (json: unknown): GeneratedImage | undefined => {
  const status = textAt(json, "status");
  if (status === "Ready") {
    const url = textAt(json, "result", "sample");
    if (url === "") throw emptyAnswer("image");
    return { url };
  }
  if (status.endsWith("Moderated")) throw moderated();
  if (["Error", "Failed", "Task not found"].includes(status))
    throw new UpstreamError("server", "The upstream's task failed.", { accepted: true });
  return undefined;
};
