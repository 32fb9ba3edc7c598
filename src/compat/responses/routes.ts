/** OpenAI's Responses API, answered by the same story as chat. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../accounts/authenticate.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { openStream } from "../../chat/response/open-stream.ts";
import { ANSWER_HEADERS, sendAnswer } from "../../chat/response/send-answer.ts";
import { describe } from "../../http/describe.ts";
import { type GuardRule, guarded } from "../../http/guarded.ts";
import { readJson } from "../../http/read-json.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import { keepsTexts } from "../../logs/fetch-answer.ts";
import type { Platform } from "../../platform.ts";
import { countPrompt } from "../../router/count-prompt.ts";
import { compacting } from "./compaction.ts";
import { readResponsesBody } from "./read-responses-body.ts";
import { recallPast } from "./recall.ts";
import { toCompaction, toResponse } from "./shape-responses.ts";
import { createResponseEncoder } from "./stream-responses.ts";
import { withoutSecrets } from "./tool-wire.ts";
import { CompactionAnswer, ResponseAnswer, ResponsesBody } from "./wire.ts";

const ROUTE = "/v1/responses";
const GUARD: GuardRule = { scope: "chat", maxBytes: BOUNDS.mediaBodyBytes };

export const responsesRoutes = (platform: Platform) => {
  const read = async (
    request: Request,
    caller: Caller,
    asked = (body: ResponsesBody): ResponsesBody => body,
  ): Promise<{ body: ResponsesBody; input: ChatInput }> => {
    const sent = asked(await readJson(request, ResponsesBody, GUARD));
    const body = { ...sent, ...(sent.tools && { tools: sent.tools.map(withoutSecrets) }) };
    const past = await recallPast(platform, caller, body);
    const store = body.store !== false && (await keepsTexts(platform, caller));
    return { body: { ...body, store }, input: readResponsesBody(body, ROUTE, past) };
  };
  return new Elysia()
    .use(guarded(platform))
    .post(
      ROUTE,
      async ({ request, caller, set }) => {
        const { body, input } = await read(request, caller);
        if (body.stream) return openStream(platform, { caller, request }, input, (stream) => createResponseEncoder(stream, body));
        return sendAnswer(platform, { caller, request, set }, input, (answer) => toResponse(answer, body));
      },
      {
        guard: { ...GUARD, group: "chat" },
        detail: describe({
          summary: "OpenAI Responses, streamed or not",
          description: "`input` has the whole conversation, or continues that of `previous_response_id`.",
          tags: ["openai"],
          body: ResponsesBody,
          response: ResponseAnswer,
          headers: ANSWER_HEADERS,
          otherMediaTypes: ["text/event-stream"],
          errors: [404],
        }),
      },
    )
    .post(
      `${ROUTE}/input_tokens`,
      async ({ request, caller }) => {
        const { input } = await read(request, caller);
        return { object: "response.input_tokens", input_tokens: countPrompt(input.request) };
      },
      {
        guard: GUARD,
        detail: describe({
          summary: "How many tokens a Responses request has, estimated",
          tags: ["openai"],
          body: ResponsesBody,
          response: Type.Object({ object: Type.Literal("response.input_tokens"), input_tokens: Type.Integer() }),
        }),
      },
    )
    .post(
      `${ROUTE}/compact`,
      async ({ request, caller, set }) => {
        const { input } = await read(request, caller, compacting);
        return sendAnswer(platform, { caller, request, set }, input, toCompaction);
      },
      {
        guard: { ...GUARD, group: "chat" },
        detail: describe({
          summary: "A conversation's summary, which stands for it from then on",
          description: "The item of type `compaction` takes the place of the conversation in `input`.",
          tags: ["openai"],
          body: ResponsesBody,
          response: CompactionAnswer,
          headers: ANSWER_HEADERS,
          errors: [404],
        }),
      },
    );
};
