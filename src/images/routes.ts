/** `POST /v1/images/generations` and `/v1/images/edits`, also what OpenAI's SDKs call. */

import { Elysia } from "elysia";
import type { Caller } from "../accounts/authenticate.ts";
import { describe } from "../http/describe.ts";
import { guarded, showRate } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { readMultipart } from "../http/read-multipart.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { eventsResponse } from "../media/media-events.ts";
import type { Platform } from "../platform.ts";
import { ImageEditForm, picturesTooLarge, toEditOrder } from "./edit-wire.ts";
import { EDIT_PATH, generateImage, IMAGE_PATH, type ImageOrder } from "./generate-image.ts";
import { ImageGeneration, ImageGenerationResult, ignoredAmong, toImageEvents, toImageOrder, toWireImages } from "./wire.ts";

const EDIT_BYTES = BOUNDS.mediaBodyBytes + BOUNDS.multipartOverheadBytes;

export const imageRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      IMAGE_PATH,
      async (asked) => {
        const body = await readJson(asked.request, ImageGeneration);
        const order = toImageOrder(body, platform.config.file.media_aliases);
        const answer = await make(platform, asked, order);
        const about = [answer, asked.caller.requestId, ignoredAmong(body)] as const;
        return body.stream ? eventsResponse(toImageEvents("image_generation.completed", ...about)) : toWireImages(...about);
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
    )
    .post(
      EDIT_PATH,
      async (asked) => {
        const form = await readMultipart(asked.request, { maxBytes: EDIT_BYTES, tooLarge: picturesTooLarge });
        const { order, ignored, streamed } = await toEditOrder(form, platform.config.file);
        const about = [await make(platform, asked, order), asked.caller.requestId, ignored] as const;
        return streamed ? eventsResponse(toImageEvents("image_edit.completed", ...about)) : toWireImages(...about);
      },
      {
        guard: { scope: "media", group: "images", countsItself: true, maxBytes: EDIT_BYTES },
        detail: describe({
          summary: "Edit images",
          tags: ["media"],
          multipart: ImageEditForm,
          response: ImageGenerationResult,
          otherMediaTypes: ["text/event-stream"],
        }),
      },
    );

type Asked = { caller: Caller; request: Request; set: { headers: object } };

const make = (platform: Platform, { caller, request, set }: Asked, order: Omit<ImageOrder, "signal">) =>
  generateImage(platform, caller, { ...order, signal: request.signal }).finally(() =>
    showRate(platform, caller, "images", set.headers as Record<string, string>),
  );
