/** Encodes answers as OpenAI's Responses: whole, or as named events from which its SDKs build the same object. */

import type { ApiError } from "../../api-error.ts";
import { toInput } from "../../chat/custom-tools.ts";
import { type FinalPart, isThinkingPart, type StreamEncoder, type StreamFacts } from "../../chat/response/outlet.ts";
import type { Answer } from "../../chat/response/whole-answer.ts";
import { errorMember, refusalOf } from "../../http/error-envelope.ts";
import { type Citation, completionTokens, type FinishReason, promptTokens, type TokenUsage } from "../../providers/provider.ts";
import { type BlockEvent, createBlockOrder } from "../order-blocks.ts";
import { nameReader, type ReadName } from "./declared-tools.ts";
import type { ResponsesBody } from "./wire.ts";

type Status = "in_progress" | "completed" | "incomplete";
type Annotation = { type: "url_citation"; url: string; title: string; start_index: number; end_index: number };
type Content =
  | { type: "output_text"; text: string; annotations: Annotation[]; logprobs: [] }
  | { type: "refusal"; refusal: string };
type Called = { id: string; status: Status; call_id: string; name: string; namespace?: string };
type Item =
  | { id: string; type: "message"; status: Status; role: "assistant"; content: Content[] }
  | (Called & { type: "function_call"; arguments: string })
  | (Called & { type: "custom_tool_call"; input: string });

const toAnnotation = ({ url, title, start, end }: Citation): Annotation => ({
  type: "url_citation",
  url,
  title,
  start_index: start,
  end_index: end,
});

const textPart = (text: string, citations: readonly Citation[] = []): Content => ({
  type: "output_text",
  text,
  annotations: citations.map(toAnnotation),
  logprobs: [],
});

const baseOf = (requestId: string): string => requestId.replace(/^call_/, "");

/** `index`: the position among the response's messages (for a call, among its calls). */
const messageItem = (requestId: string, index: number, status: Status, content: Content[]): Item => ({
  id: `msg_${baseOf(requestId)}_${index}`,
  type: "message",
  status,
  role: "assistant",
  content,
});

type Call = ReturnType<ReadName> & { id: string; arguments: string };
const callItem = (requestId: string, index: number, status: Status, call: Call): Item => {
  const called = {
    id: `${call.isCustom ? "ctc" : "fc"}_${baseOf(requestId)}_${index}`,
    status,
    call_id: call.id,
    name: call.name,
    ...(call.namespace !== undefined && { namespace: call.namespace }),
  };
  return call.isCustom
    ? { ...called, type: "custom_tool_call", input: toInput(call.arguments) }
    : { ...called, type: "function_call", arguments: call.arguments };
};

/** The fields of a response in any state. The request is echoed, because the SDKs' types require it. */
const responseOf = (
  about: { requestId: string; createdAtMs: number },
  body: ResponsesBody,
  more: { model: string; output: Item[] },
) => ({
  id: `resp_${baseOf(about.requestId)}`,
  object: "response" as const,
  created_at: Math.floor(about.createdAtMs / 1000),
  status: "in_progress" as string,
  error: null as { code: string; message: string } | null,
  incomplete_details: null as { reason: string } | null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: body.previous_response_id ?? null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
  store: false,
  temperature: body.temperature ?? null,
  text: { format: body.text?.format ?? { type: "text" } },
  tool_choice: body.tool_choice ?? "auto",
  tools: body.tools ?? [],
  top_p: body.top_p ?? null,
  user: body.user ?? null,
  metadata: body.metadata ?? {},
  usage: null as ReturnType<typeof toUsage> | null,
  ...more,
});

const toUsage = (usage: TokenUsage) => ({
  input_tokens: promptTokens(usage),
  input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
  output_tokens: completionTokens(usage),
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: promptTokens(usage) + completionTokens(usage),
});

const INCOMPLETE: Partial<Record<FinishReason, string>> = { length: "max_output_tokens", content_filter: "content_filter" };

const statusOf = (finishReason: FinishReason) => (INCOMPLETE[finishReason] === undefined ? "completed" : "incomplete");

/** The end of a successful response. */
const ending = ({ result: { finishReason, usage }, svc }: Pick<FinalPart, "result" | "svc">) => {
  const reason = INCOMPLETE[finishReason];
  return {
    status: statusOf(finishReason),
    incomplete_details: reason === undefined ? null : { reason },
    usage: toUsage(usage),
    svc,
  };
};

export const toResponse = (answer: Answer, body: ResponsesBody) => {
  const { result, requestId, model } = answer;
  const status = statusOf(result.finishReason);
  // An empty answer is a message, too.
  const hasMessage = result.text !== "" || result.toolCalls.length === 0;
  const readName = nameReader(body);
  const last = result.toolCalls.length - 1;
  const output = [
    ...(hasMessage
      ? // What broke off is the last item.
        [messageItem(requestId, 0, last < 0 ? status : "completed", [contentOf(result.text, result.refusal, result.citations)])]
      : []),
    ...result.toolCalls.map((call, index) =>
      callItem(requestId, index, index === last ? status : "completed", { ...call, ...readName(call.name) }),
    ),
  ];
  return { ...responseOf(answer, body, { model, output }), ...ending(answer) };
};

const contentOf = (text: string, refusal: string | undefined, citations?: readonly Citation[]): Content =>
  refusal === undefined ? textPart(text, citations) : { type: "refusal", refusal };

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
    const response = { ...respond(part.svc.model_selected), ...ending(part) };
    return before + last + emit(`response.${status}`, { response });
  };
  return {
    part: (part) => {
      // This API has no form that would preserve them.
      if (isThinkingPart(part)) return "";
      return start() + (part.type === "final" ? end(part) : order.push(part).map(items.render).join(""));
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
    /** Includes the current item as far as it has come. */
    output: (): Item[] => (open === undefined ? [...done] : [...done, whole("incomplete")]),
  };
};
