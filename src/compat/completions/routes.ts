/** OpenAI's older completions API, answered by the same story as chat: the prompt is the only message. */

import { Elysia } from "elysia";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { ignoredFields } from "../../chat/request/ignored-fields.ts";
import { readChatBody } from "../../chat/request/read-chat-body.ts";
import { openStream } from "../../chat/response/open-stream.ts";
import { ANSWER_HEADERS, sendAnswer } from "../../chat/response/send-answer.ts";
import { describe } from "../../http/describe.ts";
import { guarded } from "../../http/guarded.ts";
import { readJson } from "../../http/read-json.ts";
import type { Platform } from "../../platform.ts";
import { createTextEncoder, toTextCompletion } from "./shape-completions.ts";
import { CompletionsBody, sharedFields, TextCompletion } from "./wire.ts";

const ROUTE = "/v1/completions";

const toChatInput = (body: CompletionsBody): ChatInput => {
  const content = typeof body.prompt === "string" ? body.prompt : body.prompt[0]!;
  const chat = { ...sharedFields(body), messages: [{ role: "user" as const, content }] };
  return { ...readChatBody(chat, ROUTE), messagesField: "prompt", ignored: ignoredFields(body, CompletionsBody) };
};

export const completionsRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    ROUTE,
    async ({ request, caller, set }) => {
      const body = await readJson(request, CompletionsBody);
      const input = toChatInput(body);
      if (!body.stream) return sendAnswer(platform, { caller, request, set }, input, toTextCompletion);
      const includeUsage = body.stream_options?.include_usage ?? false;
      return openStream(platform, { caller, request }, input, (stream) => createTextEncoder(stream, includeUsage));
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
        errors: [404],
      }),
    },
  );
