/** `POST /v1/moderations`, also what OpenAI's SDKs call. */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { type GuardRule, guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { MODERATION_PATH, moderate } from "./moderate.ts";
import { Moderation, toModerationOrder, toWireVerdicts, Verdicts } from "./wire.ts";

/** Gap: counts with texts to embed. A body may hold pictures. */
const GUARD: GuardRule = { scope: "chat", group: "embeddings", maxBytes: BOUNDS.mediaBodyBytes };

export const moderationRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    MODERATION_PATH,
    async ({ caller, request }) => {
      const body = await readJson(request, Moderation, GUARD);
      const { allowedHosts, file } = platform.config;
      const order = toModerationOrder(body, { aliases: file.media_aliases, allowedHosts });
      return toWireVerdicts(await moderate(platform, caller, { ...order, signal: request.signal }), caller.requestId);
    },
    {
      guard: GUARD,
      detail: describe({
        summary: "Whether texts and pictures are harmful",
        tags: ["openai"],
        body: Moderation,
        response: Verdicts,
        errors: [404],
      }),
    },
  );
