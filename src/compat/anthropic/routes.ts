/** Anthropic's Messages API over the same story, so that its SDKs and Claude Code can be pointed here (decisions §5). */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { openStream } from "../../chat/response/open-stream.ts";
import { ANSWER_HEADERS, answerHeaders, jsonAnswer, sendAnswer } from "../../chat/response/send-answer.ts";
import { describe } from "../../http/describe.ts";
import { type GuardRule, guarded } from "../../http/guarded.ts";
import { readJson } from "../../http/read-json.ts";
import { SSE_HEADERS } from "../../http/sse.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { Platform } from "../../platform.ts";
import { countPrompt } from "../../router/count-prompt.ts";
import { answerWithSearch, asQueryRequest, demandedSearch } from "./demanded-search.ts";
import { readConversation, readMessagesBody } from "./read-messages-body.ts";
import { toMessage } from "./shape-messages.ts";
import { eventsOf, toSearchMessage } from "./shape-search.ts";
import { createMessageEncoder } from "./stream-messages.ts";
import { CountBody, MessageAnswer, MessagesBody } from "./wire.ts";

/** Counting tokens is not limited. */
const GUARD_COUNT: GuardRule = { scope: "chat", maxBytes: BOUNDS.mediaBodyBytes };
const GUARD: GuardRule = { ...GUARD_COUNT, group: "chat" };

export const anthropicRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      "/v1/messages",
      async ({ request, caller, set }) => {
        const body = await readJson(request, MessagesBody, GUARD);
        const knows = (model: string) => platform.catalog.findChatModel(model) !== undefined;
        const betas = request.headers.get("anthropic-beta");
        const demanded = demandedSearch(body);
        if (demanded !== undefined) {
          const input = readMessagesBody(asQueryRequest(body, demanded), knows, betas);
          const message = toSearchMessage(await answerWithSearch(platform, { caller, request }, input, demanded));
          const { model_selected: model, fallback_used: fallbackUsed, latency_ms: latencyMs } = message.svc;
          const headers = answerHeaders(model, fallbackUsed, latencyMs);
          if (body.stream) return new Response(eventsOf(message), { headers: { ...SSE_HEADERS, ...headers } });
          Object.assign(set.headers, headers);
          return jsonAnswer(set, message);
        }
        const input = readMessagesBody(body, knows, betas);
        if (body.stream) return openStream(platform, { caller, request }, input, createMessageEncoder);
        return sendAnswer(platform, { caller, request, set }, input, toMessage);
      },
      {
        guard: GUARD,
        detail: describe({
          summary: "Anthropic Messages, streamed or not",
          tags: ["anthropic"],
          body: MessagesBody,
          response: MessageAnswer,
          headers: ANSWER_HEADERS,
          otherMediaTypes: ["text/event-stream"],
          errors: [404],
        }),
      },
    )
    .post(
      "/v1/messages/count_tokens",
      async ({ request }) => {
        const body = await readJson(request, CountBody, GUARD_COUNT);
        return { input_tokens: countPrompt(readConversation(body)) };
      },
      {
        guard: GUARD_COUNT,
        detail: describe({
          summary: "How many tokens a Messages request has, estimated",
          tags: ["anthropic"],
          body: CountBody,
          response: Type.Object({ input_tokens: Type.Integer() }),
        }),
      },
    );
