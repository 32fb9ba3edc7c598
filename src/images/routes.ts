/** `POST /v1/images/generations`, also what OpenAI's SDKs call. */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { guarded, showRate } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { eventsResponse } from "../media/media-events.ts";
import type { Platform } from "../platform.ts";
import { generateImage, IMAGE_PATH } from "./generate-image.ts";
import { ImageGeneration, ImageGenerationResult, toImageEvents, toImageOrder, toWireImages } from "./wire.ts";

export const imageRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    IMAGE_PATH,
    async ({ caller, request, set }) => {
      const body = await readJson(request, ImageGeneration);
      const order = toImageOrder(body, platform.config.file.media_aliases);
      const answer = await generateImage(platform, caller, { ...order, signal: request.signal }).finally(() =>
        showRate(platform, caller, "images", set.headers as Record<string, string>),
      );
      if (body.stream) return eventsResponse(toImageEvents(answer, caller.requestId));
      return toWireImages(answer, caller.requestId);
    },
    {
      guard: { scope: "media", group: "images", countsItself: true },
      detail: describe({
        summary: "Generate images",
        tags: ["media"],
        body: ImageGeneration,
        response: ImageGenerationResult,
        otherMediaTypes: ["text/event-stream"],
      }),
    },
  );
