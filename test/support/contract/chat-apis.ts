/** One chat in words of its own, as each API is asked for it, and each API's answer, whole or streamed, read back into such words. */

import { type Frame, parseSse } from "../read-sse.ts";

export type Asked = {
  prompt: string;
  system?: string;
  model?: string;
  ceilingUsd?: number;
  maxTokens: number;
  sessionId?: string;
  userId?: string;
  schema?: object;
  tool?: { name: string; parameters: object };
};

export type Told = {
  /** Tells that the call failed: of an error's body, or of the frame in which a stream ended. */
  error?: any;
  text: string;
  tools: string[];
  finish?: string;
  model?: string;
  usage?: { input: number; output: number };
  svc?: any;
};

export type ChatApi = { path: string; streams: boolean; body(asked: Asked): object; read(text: string): Told };

const own = ({ ceilingUsd, sessionId }: Asked) => ({
  ...(ceilingUsd !== undefined && { max_cost_per_call: ceilingUsd }),
  ...(sessionId !== undefined && { session_id: sessionId }),
});

const chatBody = (asked: Asked, stream: boolean) => ({
  messages: [...(asked.system ? [{ role: "system", content: asked.system }] : []), { role: "user", content: asked.prompt }],
  model: asked.model ?? "auto",
  max_tokens: asked.maxTokens,
  ...own(asked),
  ...(asked.userId && { user: asked.userId }),
  ...(asked.schema && { response_format: { type: "json_schema", json_schema: { name: "answer", schema: asked.schema } } }),
  ...(asked.tool && { tools: [{ type: "function", function: asked.tool }] }),
  ...(stream && { stream, stream_options: { include_usage: true } }),
});

const messagesBody = (asked: Asked, stream: boolean) => ({
  messages: [{ role: "user", content: asked.prompt }],
  model: asked.model ?? "auto",
  max_tokens: asked.maxTokens,
  ...own(asked),
  ...(asked.system && { system: asked.system }),
  ...(asked.userId && { metadata: { user_id: asked.userId } }),
  ...(asked.schema && { output_config: { format: { type: "json_schema", schema: asked.schema } } }),
  ...(asked.tool && { tools: [{ name: asked.tool.name, input_schema: asked.tool.parameters }] }),
  ...(stream && { stream }),
});

const responsesBody = (asked: Asked, stream: boolean) => ({
  input: asked.prompt,
  model: asked.model ?? "auto",
  max_output_tokens: asked.maxTokens,
  ...own(asked),
  ...(asked.system && { instructions: asked.system }),
  ...(asked.userId && { user: asked.userId }),
  ...(asked.schema && { text: { format: { type: "json_schema", name: "answer", schema: asked.schema } } }),
  ...(asked.tool && { tools: [{ type: "function", ...asked.tool }] }),
  ...(stream && { stream }),
});

const nothing = (): Told => ({ text: "", tools: [] });
const openAiUsage = (usage: any) => usage && { input: usage.prompt_tokens, output: usage.completion_tokens };
const namesOf = (calls: any[] = []): string[] => calls.flatMap((call) => call.function?.name ?? []);

const readCompletion = ({ choices: [{ message, finish_reason }], model, usage, svc }: any): Told => ({
  text: message.content ?? "",
  tools: namesOf(message.tool_calls),
  finish: finish_reason,
  model,
  usage: openAiUsage(usage),
  svc,
});

const CALLED: Record<string, string> = { end_turn: "stop", stop_sequence: "stop", max_tokens: "length", tool_use: "tool_calls" };
const claudeUsage = (usage: any) => ({
  input: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
  output: usage.output_tokens,
});

const readMessage = ({ content, stop_reason, model, usage, svc }: any): Told => ({
  text: content.map(({ text = "" }: any) => text).join(""),
  tools: content.flatMap(({ type, name }: any) => (type === "tool_use" ? [name] : [])),
  finish: CALLED[stop_reason] ?? stop_reason,
  model,
  usage: claudeUsage(usage),
  svc,
});

const readResponse = ({ output, incomplete_details, model, usage, svc }: any): Told => {
  const tools = output.flatMap(({ type, name }: any) => (type === "function_call" ? [name] : []));
  return {
    text: output.flatMap(({ content = [] }: any) => content.map(({ text, refusal }: any) => text ?? refusal)).join(""),
    tools,
    finish: incomplete_details ? "length" : tools.length > 0 ? "tool_calls" : "stop",
    model,
    usage: { input: usage.input_tokens, output: usage.output_tokens },
    svc,
  };
};

const must = (holds: boolean, what: string, frames: Frame[]): void => {
  if (!holds) throw new Error(`${what}: ${JSON.stringify(frames).slice(0, 2_000)}`);
};

/** Ends exactly once: in `[DONE]` after one final chunk, or in an error frame without it. */
const readChunks = (frames: Frame[]): Told => {
  const data = frames.map((frame) => frame.data);
  const told = nothing();
  const last = data.pop();
  must(!data.some((chunk) => chunk === "[DONE]" || chunk.error), "the end is last", frames);
  if (last?.error) told.error = last.error;
  else must(last === "[DONE]", "a stream that did not fail ends in [DONE]", frames);
  must(data.filter(({ choices }) => choices[0]?.finish_reason).length === (told.error ? 0 : 1), "it finishes once", frames);
  must(new Set(data.map(({ id, model }) => `${id} ${model}`)).size <= 1, "all chunks are of one answer", frames);
  for (const [index, { choices, model, svc, usage }] of data.entries()) {
    const { delta = {}, finish_reason } = choices[0] ?? {};
    must((delta.role === "assistant") === (index === 0), "the role comes first, and once", frames);
    told.text += delta.content ?? "";
    told.tools.push(...namesOf(delta.tool_calls));
    Object.assign(told, { model }, finish_reason && { finish: finish_reason }, svc && { svc });
    if (usage) told.usage = openAiUsage(usage);
  }
  return told;
};

const readMessageEvents = (frames: Frame[]): Told => {
  const told = nothing();
  const types = frames.map(({ data }) => data.type);
  const ends = types.filter((type) => type === "message_stop" || type === "error");
  must(ends.length === 1 && types.at(-1) === ends[0] && frames.every(({ event, data }) => event === data.type), "order", frames);
  for (const { data } of frames) {
    if (data.type === "error") told.error = data.error;
    if (data.type === "message_start") told.model = data.message.model;
    if (data.content_block?.type === "tool_use") told.tools.push(data.content_block.name);
    if (data.delta?.type === "text_delta") told.text += data.delta.text;
    if (data.svc) told.svc = data.svc;
    if (data.type === "message_delta")
      Object.assign(told, { finish: CALLED[data.delta.stop_reason] ?? data.delta.stop_reason, usage: claudeUsage(data.usage) });
  }
  return told;
};

const readResponseEvents = (frames: Frame[]): Told => {
  const data = frames.map((frame) => frame.data);
  must(
    data.every(({ sequence_number }, index) => sequence_number === index),
    "events are numbered",
    frames,
  );
  const last = data.at(-1);
  if (last.type === "error") return { ...nothing(), error: last };
  must(["response.completed", "response.incomplete"].includes(last.type), "it ends", frames);
  const told = readResponse(last.response);
  const flowed = data.map(({ type, delta }) => (type === "response.output_text.delta" ? delta : "")).join("");
  must(flowed === told.text, "what flowed is what was said", frames);
  return told;
};

const whole =
  (read: (body: any) => Told) =>
  (text: string): Told => {
    const body = JSON.parse(text);
    return body.error ? { ...nothing(), error: body.error } : read(body);
  };
const streamed =
  (read: (frames: Frame[]) => Told) =>
  (text: string): Told =>
    text.startsWith("{") ? whole(read)(text) : read(parseSse(text));

const api = (
  path: string,
  streams: boolean,
  body: (asked: Asked, stream: boolean) => object,
  read: ChatApi["read"],
): ChatApi => ({
  path,
  streams,
  body: (asked) => body(asked, streams),
  read,
});

export const CHAT_APIS: readonly ChatApi[] = [
  api("/v1/chat", false, chatBody, whole(readCompletion)),
  api("/v1/chat/stream", true, chatBody, streamed(readChunks)),
  api("/v1/chat/completions", false, chatBody, whole(readCompletion)),
  api("/v1/chat/completions", true, chatBody, streamed(readChunks)),
  api("/v1/messages", false, messagesBody, whole(readMessage)),
  api("/v1/messages", true, messagesBody, streamed(readMessageEvents)),
  api("/v1/responses", false, responsesBody, whole(readResponse)),
  api("/v1/responses", true, responsesBody, streamed(readResponseEvents)),
];
