/** Encodes streamed answers as OpenAI's Responses: named events from which its SDKs build the same object as a whole answer. */

import type { ApiError } from "../../api-error.ts";
import { type FinalPart, isThinkingPart, type StreamEncoder, type StreamFacts, thinkingIn } from "../../chat/response/outlet.ts";
import { errorMember, refusalOf } from "../../http/error-envelope.ts";
import type { Citation } from "../../providers/provider.ts";
import { type Begins, type BlockEvent, createBlockOrder } from "../order-blocks.ts";
import { asksToCompact, type CompactionItem, compactionItems } from "./compaction.ts";
import { nameReader, type ReadName } from "./declared-tools.ts";
import { begun, complete, ended, grown, type ItemEvent } from "./item-events.ts";
import { callItem, type Item, messageItem, pictureItem, reasoningItem, type Status } from "./items.ts";
import { ending, responseOf, statusOf } from "./shape-responses.ts";
import type { ResponsesBody } from "./wire.ts";

type Emit = (type: string, more: Record<string, unknown>) => string;

export const createResponseEncoder = (stream: StreamFacts, body: ResponsesBody): StreamEncoder => {
  let sequence = 0;
  const emit: Emit = (type, more) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...more })}\n\n`;
  const order = createBlockOrder();
  const items = asksToCompact(body)
    ? createSummary(stream.requestId, emit)
    : createItems(stream.requestId, emit, nameReader(body));
  const respond = (model = stream.model()) => responseOf(stream, body, { model, output: items.output() });

  const start = (): string => {
    if (sequence > 0) return "";
    const response = respond();
    return emit("response.created", { response }) + emit("response.in_progress", { response });
  };
  const end = (part: FinalPart): string => {
    const empty = items.output().length === 0 ? order.push({ type: "text", text: "" }) : [];
    // The last event is the end of the last block, unless that came whole.
    const rest = [...empty, ...order.end()];
    const before = rest.slice(0, -1).map(items.render).join("");
    const { finishReason, refusal, citations } = part.result;
    const status = statusOf(finishReason);
    const last = rest.length === 0 ? "" : items.close(status, refusal, citations);
    const response = { ...respond(part.svc.model_selected), ...ending(part, stream.createdAtMs) };
    return before + last + emit(`response.${status}`, { response });
  };
  return {
    part: (part) => {
      if (part.type === "final") return start() + end(part);
      const shown: typeof part = isThinkingPart(part) ? { type: "thinking", text: thinkingIn(part) } : part;
      // This API has no form for sealed thinking.
      return shown.type === "thinking" && shown.text === "" ? "" : start() + order.push(shown).map(items.render).join("");
    },
    failure: (error) => {
      const refusal = refusalOf(error);
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

type Items = {
  render(event: BlockEvent): string;
  close(status: Status, refusal?: string, citations?: readonly Citation[]): string;
  /** Includes the unfinished item with the text received so far. */
  output(): (Item | CompactionItem)[];
};

/** The text, which comes as a single item at the end. */
const createSummary = (requestId: string, emit: Emit): Items => {
  let text = "";
  let isText = false;
  let output: CompactionItem[] = [];
  return {
    render: (event) => {
      if (event.type === "begin") isText = event.block.type === "text";
      if (event.type === "piece" && isText) text += event.text;
      return "";
    },
    close: (status, refusal) => {
      output = compactionItems(requestId, text, status, refusal);
      return output
        .map(
          (item) =>
            emit("response.output_item.added", { output_index: 0, item }) +
            emit("response.output_item.done", { output_index: 0, item }),
        )
        .join("");
    },
    output: () => output,
  };
};

/** The items of a streamed response, one after the other in the order in which they begin. */
const createItems = (requestId: string, emit: Emit, readName: ReadName): Items => {
  const done: Item[] = [];
  /** Kept, because counting the items for each of fifty thousand calls would take half a minute. */
  const begunOf = { call: 0, message: 0, picture: 0, reasoning: 0 };
  let open: Item | undefined;
  let text = "";

  const emitAll = (events: ItemEvent[]): string =>
    events.map(([type, more]) => emit(type, { item_id: open!.id, output_index: done.length, ...more })).join("");
  const itemOf = (block: Begins): Item => {
    switch (block.type) {
      case "tool-start": {
        const call = { ...block, ...readName(block.name), arguments: "" };
        return callItem(requestId, begunOf.call++, "in_progress", call);
      }
      case "text":
        return messageItem(requestId, begunOf.message++, "in_progress", []);
      case "picture":
        return pictureItem(requestId, begunOf.picture++, "in_progress");
      default:
        return reasoningItem(requestId, begunOf.reasoning++, "in_progress", []);
    }
  };
  const begin = (block: Begins): string => {
    text = block.type === "picture" ? block.url : "";
    open = itemOf(block);
    return emit("response.output_item.added", { output_index: done.length, item: open }) + emitAll(begun(open));
  };
  const piece = (delta: string): string => {
    text += delta;
    return emitAll(grown(open!, delta));
  };
  const close = (status: Status, refusal?: string, citations: readonly Citation[] = []): string => {
    const item = complete(open!, status, text, refusal, citations);
    const frames = emitAll(ended(item, text)) + emit("response.output_item.done", { output_index: done.length, item });
    done.push(item);
    open = undefined;
    return frames;
  };
  return {
    render: (event: BlockEvent): string => {
      switch (event.type) {
        case "begin":
          return begin(event.block);
        case "piece":
          return piece(event.text);
        case "signature":
          return "";
        case "stop":
          return close("completed");
      }
    },
    close,
    output: () => (open === undefined ? [...done] : [...done, complete(open, "incomplete", text)]),
  };
};
