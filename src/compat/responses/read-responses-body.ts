/** Converts OpenAI's Responses requests to a `ChatInput`. */

import { invalidRequest } from "../../api-error.ts";
import { toArguments } from "../../chat/custom-tools.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { checkBase64, missingFile, readFileUrl, readImage, readRemotePdf } from "../../chat/request/check-media.ts";
import { checkMetadata } from "../../chat/request/check-metadata.ts";
import { ignoredFields } from "../../chat/request/ignored-fields.ts";
import { offerTools } from "../../chat/request/offer-tools.ts";
import { readOwnFields } from "../../chat/request/own-fields.ts";
import type { ChatMessage, ChatRequest, ContentPart, OutputFormat, ToolCall } from "../../providers/provider.ts";
import { joinNames, offeredTools, placesLeftOut, readChoice } from "./declared-tools.ts";
import type { Past } from "./recall.ts";
import { isKnownItem, ResponsesBody, type ResponsesItem, type ResponsesMessage, type ResponsesPart } from "./wire.ts";

/** `allowedHosts` are the operator's exceptions for media URLs. Throws ApiError `invalid_request` with `param`. */
export const readResponsesBody = (
  body: ResponsesBody,
  route: string,
  allowedHosts: readonly string[],
  past: Past = NO_PAST,
): ChatInput => {
  refuseState(body);
  const { format: asked } = settingsOf(body);
  const ignored = [...ignoredFields(body, ResponsesBody), ...placesLeftOut(body)];
  const userId = body.user || body.metadata?.["user_id"];
  return {
    request: readRequest(body, allowedHosts, past),
    route,
    ...(body.instructions && { hasInstructions: true as const }),
    ...(body.model && body.model !== "auto" && { pinnedModel: body.model }),
    ...readOwnFields(body),
    ...(asked?.format.type === "json_schema" && { schema: { value: asked.format.schema, param: `${asked.at}.schema` } }),
    schemaStrict: false,
    ...(userId && { userId }),
    ...(body.metadata && { custom: checkMetadata(body.metadata) }),
    ...(ignored.length > 0 && { ignored }),
  };
};

const NO_PAST: Past = { conversation: [], itemOf: () => undefined };

const refuseState = (body: ResponsesBody): void => {
  if (body.conversation)
    throw invalidRequest(
      "`conversation` is not supported: name the previous response in `previous_response_id`, or send the whole conversation in `input`.",
      "conversation",
    );
  if (body.prompt) throw invalidRequest("`prompt` is not supported: send its words in `instructions` and `input`.", "prompt");
  if (body.background)
    throw invalidRequest("`background` is not supported: leave it out and wait, or set `stream`.", "background");
};

const readRequest = (body: ResponsesBody, allowedHosts: readonly string[], past: Past): ChatRequest => {
  const { effort, format: asked } = settingsOf(body);
  const format = readFormat(asked?.format);
  return {
    messages: [
      ...(body.instructions ? [{ role: "system" as const, content: body.instructions }] : []),
      ...readInput(body.input, allowedHosts, past, body.session_id != null),
    ],
    ...offerTools(offeredTools(body), readChoice(body.tool_choice), { name: "tool_choice.name", names: "tool_choice.tools" }),
    ...(body.parallel_tool_calls != null && { parallelToolCalls: body.parallel_tool_calls }),
    ...(body.max_output_tokens != null && { maxOutputTokens: body.max_output_tokens }),
    ...(body.temperature != null && { temperature: body.temperature }),
    ...(body.top_p != null && { topP: body.top_p }),
    // Not every vendor has levels above `high`.
    ...(effort && { reasoningEffort: effort === "xhigh" || effort === "max" ? "high" : effort }),
    ...(format && { outputFormat: format }),
    ...(body.user && { user: body.user }),
    ...(body.prompt_cache_key && { cacheKey: body.prompt_cache_key }),
  };
};

type Format = NonNullable<NonNullable<ResponsesBody["text"]>["format"]>;
type Effort = NonNullable<NonNullable<ResponsesBody["reasoning"]>["effort"]>;
type Settings = { effort?: Effort; format?: { format: Format; at: string } };

/** As the last update in the conversation set them. */
const settingsOf = ({ input, reasoning, text }: ResponsesBody): Settings => {
  const settings: Settings = {};
  const learn = (said: Pick<ResponsesBody, "reasoning" | "text">, at: string): void => {
    if (said.reasoning?.effort) settings.effort = said.reasoning.effort;
    if (said.text?.format) settings.format = { format: said.text.format, at: `${at}text.format` };
  };
  learn({ reasoning, text }, "");
  for (const [index, item] of typeof input === "string" ? [] : input.entries())
    if (isKnownItem(item) && item.type === "configuration_update") learn(item, `input.${index}.`);
  return settings;
};

const readFormat = (format: Format | undefined): OutputFormat | undefined => {
  if (format?.type === "json_object") return { type: "json" };
  if (format?.type !== "json_schema") return undefined;
  return { type: "schema", name: format.name ?? "answer", schema: format.schema, strict: format.strict ?? false };
};

/** Consecutive items of the assistant, calls included, become one message. A session may prepend remembered messages. */
const readInput = (
  input: ResponsesBody["input"],
  allowedHosts: readonly string[],
  { conversation, itemOf }: Past,
  hasSession: boolean,
): ChatMessage[] => {
  if (typeof input === "string") return [...conversation, { role: "user", content: input }];
  const messages = [...conversation];
  const called = new Set(conversation.flatMap((message) => (message.role === "assistant" ? callIdsOf(message) : [])));
  /** Ids of calls that are ignored with their outputs; Codex sends the output of OpenAI's shell tool as that of a function. */
  const leftOut = new Set<string>();
  /** Tool messages hold only text, as at most vendors; a function's other output is put into the user message that follows. */
  let shown: ContentPart[] = [];
  const show = (): void => {
    if (shown.length > 0) messages.push({ role: "user", content: shown });
    shown = [];
  };
  for (const [index, item] of input.entries()) {
    const at = `input.${index}`;
    if (!isKnownItem(item)) throw otherItem(item, at);
    switch (item.type) {
      case "function_call_output":
      case "custom_tool_call_output": {
        if (leftOut.has(item.call_id)) break;
        if (!called.has(item.call_id) && !hasSession) throw unasked(`${at}.call_id`);
        const { text, media } = readOutput(item.output, `${at}.output`, allowedHosts);
        messages.push({ role: "tool", toolCallId: item.call_id, content: text });
        shown.push(...media);
        break;
      }
      case "function_call":
      case "custom_tool_call": {
        show();
        called.add(item.call_id);
        const text = item.type === "function_call" ? item.arguments : toArguments(item.input);
        joinTurn(messages, "", [{ id: item.call_id, name: joinNames(item.namespace, item.name), arguments: text }]);
        break;
      }
      case "item_reference": {
        const past = itemOf(item.id);
        if (past === undefined) throw unknownItem(at);
        show();
        if ("text" in past) joinTurn(messages, past.text, []);
        else {
          called.add(past.call.id);
          joinTurn(messages, "", [past.call]);
        }
        break;
      }
      case "local_shell_call":
        if (item.call_id) leftOut.add(item.call_id);
        break;
      case "message":
      case null:
      case undefined:
        show();
        addMessage(messages, item, `${at}.content`, allowedHosts);
    }
  }
  show();
  if (messages.length === 0) throw invalidRequest("`input` is empty, so there is nothing to answer.", "input");
  return messages;
};

const addMessage = (
  messages: ChatMessage[],
  { role, content }: ResponsesMessage,
  at: string,
  allowedHosts: readonly string[],
): void => {
  if (content.length === 0 && typeof content !== "string") return;
  if (role === "assistant") joinTurn(messages, joinText(content, at), []);
  else if (role !== "user") messages.push({ role: "system", content: joinText(content, at) });
  else messages.push({ role, content: typeof content === "string" ? content : readParts(content, at, allowedHosts) });
};

const callIdsOf = ({ toolCalls = [] }: Extract<ChatMessage, { role: "assistant" }>): string[] => toolCalls.map(({ id }) => id);

const unknownItem = (at: string) =>
  invalidRequest(
    `\`${at}.id\` is not the id of an item that is still in the log unchanged: send the item itself (the Vercel AI SDK does so with its provider option \`store: false\`).`,
    `${at}.id`,
  );

const otherItem = ({ type }: ResponsesItem, at: string) =>
  invalidRequest(
    `\`${at}.type\` must be "message", a call or its output, or "reasoning"; it was "${String(type).slice(0, 40)}".`,
    `${at}.type`,
  );

const unasked = (param: string) =>
  invalidRequest(
    `\`${param}\` has no function_call before it: \`input\` must have the whole conversation, or \`previous_response_id\` or \`session_id\` must name what came before.`,
    param,
  );

/** Adds to the last message if that is the assistant's; in place, because a turn may be long. */
const joinTurn = (messages: ChatMessage[], text: string, calls: ToolCall[]): void => {
  const last = messages.at(-1);
  if (last?.role === "assistant" && typeof last.content === "string" && (calls.length > 0 || last.toolCalls !== undefined)) {
    last.content += last.content === "" || text === "" ? text : `\n${text}`;
    last.toolCalls ??= [];
    last.toolCalls.push(...calls);
  } else if (text !== "" || calls.length > 0) {
    messages.push({ role: "assistant", content: text, ...(calls.length > 0 && { toolCalls: calls }) });
  }
};

const wordsOf = (part: ResponsesPart): string | undefined =>
  part.type === "refusal" ? part.refusal : part.type === "input_text" || part.type === "output_text" ? part.text : undefined;

const joinText = (content: string | ResponsesPart[], at: string): string =>
  typeof content === "string"
    ? content
    : content
        .map((part, index) => {
          const words = wordsOf(part);
          if (words !== undefined) return words;
          throw invalidRequest(
            `\`${at}.${index}.type\` must be text here; it was "${part.type}": send it in a user message.`,
            `${at}.${index}.type`,
          );
        })
        .join("\n");

const readOutput = (output: string | ResponsesPart[], at: string, allowedHosts: readonly string[]) => {
  if (typeof output === "string") return { text: output, media: [] };
  const media = readParts(output, at, allowedHosts).filter(({ type }) => type !== "text");
  return { text: output.map((part) => wordsOf(part) ?? `(the ${part.type.replace("input_", "")} follows)`).join("\n"), media };
};

const readParts = (parts: readonly ResponsesPart[], at: string, allowedHosts: readonly string[]): ContentPart[] =>
  parts.map((part, index) => readPart(part, `${at}.${index}`, allowedHosts));

const readPart = (part: ResponsesPart, at: string, allowedHosts: readonly string[]): ContentPart => {
  switch (part.type) {
    case "input_image": {
      if (part.image_url == null) throw missingFile(`${at}.image_url`);
      return readImage(part.image_url, `${at}.image_url`, allowedHosts, part.detail);
    }
    case "input_file":
      return readFile(part, at, allowedHosts);
    case "input_audio":
      return {
        type: "audio",
        data: checkBase64(part.input_audio.data, `${at}.input_audio.data`),
        format: part.input_audio.format,
      };
    default:
      return { type: "text", text: wordsOf(part) ?? "" };
  }
};

const readFile = (
  { file_data: data, file_url: url, filename }: Extract<ResponsesPart, { type: "input_file" }>,
  at: string,
  allowedHosts: readonly string[],
): ContentPart => {
  const name = filename ?? undefined;
  if (data != null) return readFileUrl(data, name, `${at}.file_data`);
  if (url != null) return readRemotePdf(url, name, `${at}.file_url`, allowedHosts);
  throw missingFile(`${at}.file_data`);
};
