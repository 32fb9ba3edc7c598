/** Encodes streamed answers as OpenAI's Responses: named events from which its SDKs build the same object as a whole answer. */

import type { ApiError } from "../../api-error.ts";
import { toInput } from "../../chat/custom-tools.ts";
import { type FinalPart, isThinkingPart, type StreamEncoder, type StreamFacts } from "../../chat/response/outlet.ts";
import { errorMember, refusalOf } from "../../http/error-envelope.ts";
import type { Citation } from "../../providers/provider.ts";
import { messagesAs } from "../messages-as.ts";
import { type BlockEvent, createBlockOrder } from "../order-blocks.ts";
import { nameReader, type ReadName } from "./declared-tools.ts";
import { callItem, contentOf, type Item, messageItem, type Status, textPart, toAnnotation } from "./items.ts";
import { ending, responseOf, statusOf } from "./shape-responses.ts";
import type { ResponsesBody } from "./wire.ts";

type Emit = (type: string, more: Record<string, unknown>) => string;

export const createResponseEncoder = (stream: StreamFacts, body: ResponsesBody): StreamEncoder => {
  let sequence = 0;
  const emit: Emit = (type, more) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...more })}\n\n`;
  const order = createBlockOrder();
  const items = createItems(stream.requestId, emit, nameReader(body));
  const respond = (model = stream.model()) => responseOf(stream, body, { model, output: items.output() });

  const start = (): string => {
    if (sequence > 0) return "";
    const response = respond();
    return emit("response.created", { response }) + emit("response.in_progress", { response });
  };
  const end = (part: FinalPart): string => {
    const empty = items.output().length === 0 ? order.push({ type: "text", text: "" }) : [];
    // The last event is the end of the last block.
    const before = [...empty, ...order.end()].slice(0, -1).map(items.render).join("");
    const { finishReason, refusal, citations } = part.result;
    const status = statusOf(finishReason);
    const last = items.close(status, refusal, citations);
    const response = { ...respond(part.svc.model_selected), ...ending(part, stream.createdAtMs) };
    return before + last + emit(`response.${status}`, { response });
  };
  return {
    part: (part) => {
      // This API has no form that would preserve them.
      if (isThinkingPart(part)) return "";
      return start() + (part.type === "final" ? end(part) : order.push(part).map(items.render).join(""));
    },
    failure: (error) => {
      const refusal = refusalOf(messagesAs("input", error));
      const { param = null, code = null } = refusal.options;
      const failed = { status: "failed", error: { code: failureCode(refusal), message: refusal.message } };
      return (
        start() +
        emit("response.failed", { response: { ...respond(), ...failed } }) +
        // Both as OpenAI documents it and, in `error`, as it sends it; the SDKs raise the latter.
        emit("error", {
          code,
          message: refusal.message,
          param,
          error: { ...errorMember(refusal, stream.requestId, true), request_id: stream.requestId },
          ...refusal.options.beside,
        })
      );
    },
  };
};

/** A code from OpenAI's closed list. */
const failureCode = ({ status }: ApiError): string =>
  status >= 500 ? "server_error" : status === 429 ? "rate_limit_exceeded" : "invalid_prompt";

/** The items of a streamed response, one after the other in the order in which they begin. */
const createItems = (requestId: string, emit: Emit, readName: ReadName) => {
  const done: Item[] = [];
  /** How many of them are messages. */
  let messages = 0;
  let open: Item | undefined;
  let text = "";

  const place = () => ({ item_id: open!.id, output_index: done.length });
  const begin = (block: Extract<BlockEvent, { type: "begin" }>["block"]): string => {
    text = "";
    if (block.type === "tool-start") {
      open = callItem(requestId, done.length - messages, "in_progress", { ...block, ...readName(block.name), arguments: "" });
      return emit("response.output_item.added", { output_index: done.length, item: open });
    }
    open = messageItem(requestId, messages, "in_progress", []);
    return (
      emit("response.output_item.added", { output_index: done.length, item: open }) +
      emit("response.content_part.added", { ...place(), content_index: 0, part: textPart("") })
    );
  };
  const piece = (delta: string): string => {
    text += delta;
    // A custom tool's input is decoded from JSON once that is complete.
    if (open!.type === "custom_tool_call") return "";
    return open!.type === "message"
      ? emit("response.output_text.delta", { ...place(), content_index: 0, delta, logprobs: [] })
      : emit("response.function_call_arguments.delta", { ...place(), delta });
  };
  const whole = (status: Status, refusal?: string, citations?: readonly Citation[]): Item => {
    switch (open!.type) {
      case "message":
        return { ...open!, status, content: [contentOf(text, refusal, citations)] };
      case "function_call":
        return { ...open!, status, arguments: text };
      case "custom_tool_call":
        return { ...open!, status, input: toInput(text) };
    }
  };
  const cite = (citations: readonly Citation[]): string =>
    citations
      .map(toAnnotation)
      .map((annotation, index) =>
        emit("response.output_text.annotation.added", { ...place(), content_index: 0, annotation_index: index, annotation }),
      )
      .join("");
  const endOf = (item: Item, refusal: string | undefined): string => {
    switch (item.type) {
      case "message":
        // Whether it is a refusal is only known at the end; its text then gets no `done` event as text.
        return (
          (refusal === undefined ? emit("response.output_text.done", { ...place(), content_index: 0, text, logprobs: [] }) : "") +
          emit("response.content_part.done", { ...place(), content_index: 0, part: item.content[0] })
        );
      case "function_call":
        return emit("response.function_call_arguments.done", { ...place(), name: item.name, arguments: text });
      case "custom_tool_call":
        return (
          emit("response.custom_tool_call_input.delta", { ...place(), delta: item.input }) +
          emit("response.custom_tool_call_input.done", { ...place(), input: item.input })
        );
    }
  };
  const close = (status: Status, refusal?: string, citations: readonly Citation[] = []): string => {
    const item = whole(status, refusal, citations);
    const frames = (item.type === "message" ? cite(citations) : "") + endOf(item, refusal);
    const last = emit("response.output_item.done", { output_index: done.length, item });
    done.push(item);
    if (item.type === "message") messages++;
    open = undefined;
    return frames + last;
  };
  return {
    render: (event: BlockEvent): string =>
      event.type === "begin" ? begin(event.block) : event.type === "piece" ? piece(event.text) : close("completed"),
    close,
    /** Includes the unfinished item with the text received so far. */
    output: (): Item[] => (open === undefined ? [...done] : [...done, whole("incomplete")]),
  };
};
