/** OpenAI's chat completions and embeddings, answered by the same stories as our own routes (decisions §5). */

import { Elysia } from "elysia";
import { Completion } from "../../chat/response/completion-schema.ts";
import type { EncodeOptions } from "../../chat/response/encode-stream.ts";
import { openStream } from "../../chat/response/open-stream.ts";
import { ANSWER_HEADERS, jsonAnswer, sendAnswer } from "../../chat/response/send-answer.ts";
import { completionOf } from "../../chat/response/shape-completion.ts";
import { ChatBody } from "../../chat/wire.ts";
import { embed } from "../../embeddings/embed.ts";
import { toWireEmbeddings } from "../../embeddings/shape-embeddings.ts";
import { EmbeddingBody, Embeddings } from "../../embeddings/wire.ts";
import { describe } from "../../http/describe.ts";
import { type GuardRule, guarded } from "../../http/guarded.ts";
import { readJson, readUnchecked } from "../../http/read-json.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { Platform } from "../../platform.ts";
import { orderedChunks } from "./order-calls.ts";
import { readCompletions } from "./read-completions.ts";

const ROUTE = "/v1/chat/completions";
/** Gap: a batch of texts may be as large as a body with media; OpenAI's clients send up to 300,000 tokens at once. */
const GUARD: GuardRule = { scope: "chat", maxBytes: BOUNDS.mediaBodyBytes };

export const openAiRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      ROUTE,
      async ({ request, caller, set }) => {
        const body = await readUnchecked(request, GUARD);
        const { input, form, stream, withUsage } = await readCompletions(platform, caller, body, ROUTE);
        if (stream) {
          const encoding: EncodeOptions = { usage: withUsage ? "extra" : "none", openAi: true, ...form };
          return openStream(platform, { caller, request }, input, orderedChunks(encoding));
        }
        return sendAnswer(platform, { caller, request, set }, input, (answer) => completionOf(answer, form));
      },
      {
        guard: { ...GUARD, group: "chat" },
        detail: describe({
          summary: "OpenAI chat completions, streamed or not",
          tags: ["openai"],
          body: ChatBody,
          response: Completion,
          headers: ANSWER_HEADERS,
          otherMediaTypes: ["text/event-stream"],
          errors: [404],
        }),
      },
    )
    .post(
      "/v1/embeddings",
      async ({ request, caller, set }) => {
        const body = await readJson(request, EmbeddingBody, GUARD);
        return jsonAnswer(set, toWireEmbeddings(await embed(platform, caller, body, request.signal), body.encoding_format));
      },
      {
        guard: { ...GUARD, group: "embeddings" },
        detail: describe({
          summary: "Vectors for texts",
          tags: ["openai"],
          body: EmbeddingBody,
          response: Embeddings,
          errors: [404],
        }),
      },
    );
