/**
 * Reads a request of chat completions. Cursor sends the body of a Responses request to this path, and expects chat's answer: `input` in
 * place of `messages` says so.
 */

import type { Caller } from "../../accounts/authenticate.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { readChatBody } from "../../chat/request/read-chat-body.ts";
import { type CallForm, callFormOf } from "../../chat/response/shape-completion.ts";
import { ChatBody } from "../../chat/wire.ts";
import { checkShape } from "../../http/read-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { Platform } from "../../platform.ts";
import { nameReader } from "../responses/declared-tools.ts";
import { readResponsesBody } from "../responses/read-responses-body.ts";
import { recallPast } from "../responses/recall.ts";
import { ResponsesBody } from "../responses/wire.ts";
import { inChatForm } from "./chat-form.ts";

/** A call, and how its answer is told. */
type Asked = { input: ChatInput; form: CallForm; stream: boolean; withUsage: boolean };

/** Throws ApiError `invalid_request` with `param`. */
export const readCompletions = async (platform: Platform, caller: Caller, body: unknown, route: string): Promise<Asked> => {
  if (isRecord(body) && isResponses(body)) {
    const { stream_options: options, ...asked } = body;
    const responses = checkShape(ResponsesBody, asked);
    const read = nameReader(responses);
    return {
      input: {
        ...readResponsesBody(responses, route, await recallPast(platform, caller, responses)),
        // Such a request is not to be stored unless it says so, as any other on this path.
        echo: responses.store ? {} : false,
        showsThinking: "before-content",
      },
      form: { isCustom: (name) => read(name).kind === "custom", asFunction: false },
      stream: responses.stream ?? false,
      withUsage: isRecord(options) && options["include_usage"] === true,
    };
  }
  const chat = checkShape(ChatBody, inChatForm(body));
  return {
    input: readChatBody(chat, route),
    form: callFormOf(chat),
    stream: chat.stream ?? false,
    withUsage: chat.stream_options?.include_usage ?? false,
  };
};

const isResponses = ({ input, messages }: Record<string, unknown>): boolean =>
  input != null && (messages == null || (Array.isArray(messages) && messages.length === 0));
