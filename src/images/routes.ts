/** `POST /v1/images/generations`, also what OpenAI's SDKs call. */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import type { Platform } from "../platform.ts";
import { generateImage } from "./generate-image.ts";
import { ImageGeneration, ImageGenerationResult, toImageOrder, toWireImages } from "./wire.ts";

const PATH = "/v1/images/generations";

export const imageRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    PATH,
    async ({ caller, request, set }) => {
      const order = toImageOrder(await readJson(request, ImageGeneration));
      const headers = set.headers as Record<string, string>;
      const answer = await generateImage(platform, caller, { ...order, route: PATH, signal: request.signal, headers });
      return toWireImages(answer, caller.requestId);
    },
    {
      guard: { scope: "media", group: "images", countsItself: true },
      detail: describe({
        summary: "Generate images",
        tags: ["media"],
        body: ImageGeneration,
        response: ImageGenerationResult,
        errors: [503],
      }),
    },
  );
