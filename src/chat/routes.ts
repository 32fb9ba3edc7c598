/** `/v1/chat` and its stream (spec.md "Chat"). */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { type GuardRule, guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { readChatBody } from "./request/read-chat-body.ts";
import { Completion } from "./response/completion-schema.ts";
import { createChunkEncoder, type EncodeOptions } from "./response/encode-stream.ts";
import { openStream } from "./response/open-stream.ts";
import { ANSWER_HEADERS, sendAnswer } from "./response/send-answer.ts";
import { callFormOf, completionOf } from "./response/shape-completion.ts";
import { ChatBody } from "./wire.ts";

const GUARD: GuardRule = { scope: "chat", group: "chat", maxBytes: BOUNDS.mediaBodyBytes };

export const chatRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      "/v1/chat",
      async ({ request, caller, set }) => {
        const body = await readJson(request, ChatBody, GUARD);
        const input = readChatBody(body, "/v1/chat");
        const form = callFormOf(body);
        return sendAnswer(platform, { caller, request, set }, input, (answer) => completionOf(answer, form));
      },
      {
        guard: GUARD,
        detail: describe({
          summary: "Answer a conversation with the model that fits it",
          tags: ["chat"],
          body: ChatBody,
          response: Completion,
          headers: ANSWER_HEADERS,
          errors: [404],
        }),
      },
    )
    .post(
      "/v1/chat/stream",
      async ({ request, caller }) => {
        const body = await readJson(request, ChatBody, GUARD);
        const input = readChatBody(body, "/v1/chat/stream");
        const usage = body.stream_options?.include_usage ? "final" : "none";
        const encoding: EncodeOptions = { usage, openAi: false, ...callFormOf(body) };
        return openStream(platform, { caller, request }, input, (stream) => createChunkEncoder(stream, encoding));
      },
      {
        guard: GUARD,
        detail: describe({
          summary: "The same answer as Server-Sent Events",
          description:
            "Each event is a `chat.completion.chunk`; the last has `svc`, and `[DONE]` follows. An event with `error` ends the stream without `[DONE]`.",
          tags: ["chat"],
          body: ChatBody,
          response: { mediaType: "text/event-stream" },
          headers: ANSWER_HEADERS,
          errors: [404],
        }),
      },
    );
