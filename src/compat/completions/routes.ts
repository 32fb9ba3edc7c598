/** OpenAI's older completions API, answered by the same story as chat: the prompt is the only message. */

import { Elysia } from "elysia";
import { readChatBody } from "../../chat/request/read-chat-body.ts";
import { ANSWER_HEADERS, openStream, sendAnswer } from "../../chat/response/respond.ts";
import { describe } from "../../http/describe.ts";
import { guarded } from "../../http/guarded.ts";
import { readJson } from "../../http/read-json.ts";
import type { Platform } from "../../platform.ts";
import { messagesAs } from "../messages-as.ts";
import { createTextEncoder, toTextCompletion } from "./shape-completions.ts";
import { CompletionsBody, TextCompletion } from "./wire.ts";

const ROUTE = "/v1/completions";

export const completionsRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    ROUTE,
    async ({ request, caller, set }) => {
      const { prompt, best_of: _, suffix: __, ...shared } = await readJson(request, CompletionsBody);
      const content = typeof prompt === "string" ? prompt : prompt[0]!;
      const body = { ...shared, messages: [{ role: "user" as const, content }] };
      const input = readChatBody(body, ROUTE, platform.config.allowedHosts);
      try {
        if (!body.stream) return await sendAnswer(platform, { caller, request, set }, input, toTextCompletion);
        const includeUsage = body.stream_options?.include_usage ?? false;
        return await openStream(platform, caller, input, request.signal, (stream) => createTextEncoder(stream, includeUsage));
      } catch (error) {
        throw messagesAs("prompt", error);
      }
    },
    {
      guard: { scope: "chat", group: "chat" },
      detail: describe({
        summary: "OpenAI's older completions, streamed or not",
        tags: ["openai"],
        body: CompletionsBody,
        response: TextCompletion,
        headers: ANSWER_HEADERS,
        otherMediaTypes: ["text/event-stream"],
        errors: [404, 503],
      }),
    },
  );
