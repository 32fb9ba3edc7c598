/** Converts Anthropic's Messages requests to a `ChatInput`. */

import { invalidRequest } from "../../api-error.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { imageUrl, missingFile, readImage, readPdf, readRemotePdf } from "../../chat/request/check-media.ts";
import { ignoredFields } from "../../chat/request/ignored-fields.ts";
import { readOwnFields } from "../../chat/request/own-fields.ts";
import { readCacheWish } from "../../chat/request/read-cache-wish.ts";
import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  PastThought,
  ReasoningEffort,
  ThinkingWish,
  Thought,
  ToolCall,
} from "../../providers/provider.ts";
import { offeredTools, readChoice, readTool } from "./read-declared-tools.ts";
import { readForAnthropic } from "./read-for-anthropic.ts";
import {
  type AnthropicBlock,
  type AnthropicDocument,
  type AnthropicMessage,
  type AnthropicSearchResult,
  type AnthropicToolResult,
  type CountBody,
  MessagesBody,
} from "./wire.ts";

/** `betas`: the header with Anthropic's beta features. */
export const readMessagesBody = (
  body: MessagesBody,
  allowedHosts: readonly string[],
  knows: (model: string) => boolean,
  betas: string | null = null,
): ChatInput => {
  refuseServers(body);
  const ignored = [...ignoredFields(body, MessagesBody), ...placesLeftOut(body)];
  const format = body.output_config?.format ?? body.output_format;
  const effort = effortOf(body);
  const cachePrompt = readCacheWish(body);
  const stop = body.stop_sequences?.filter((sequence) => sequence !== "");
  return {
    request: {
      ...readConversation(body, allowedHosts),
      maxOutputTokens: body.max_tokens,
      ...(body.temperature != null && { temperature: body.temperature }),
      ...(body.top_p != null && { topP: body.top_p }),
      ...(stop?.length && { stop }),
      ...(body.metadata?.user_id && { user: body.metadata.user_id }),
      ...(format && { outputFormat: { type: "schema" as const, name: "answer", schema: format.schema, strict: true } }),
      ...(effort && { reasoningEffort: effort }),
      thinking: thinkingOf(body),
      forAnthropic: readForAnthropic(body, betas),
      ...(cachePrompt && { cachePrompt }),
    },
    route: "/v1/messages",
    // Claude Code names models that the catalog may not know yet; those are routed instead of refused.
    ...(body.model !== "auto" && (knows(body.model) || !body.model.startsWith("claude-")) && { pinnedModel: body.model }),
    ...readOwnFields(body),
    ...(format && {
      schema: {
        value: format.schema,
        param: body.output_config?.format ? "output_config.format.schema" : "output_format.schema",
      },
    }),
    schemaStrict: false,
    ...(body.metadata?.user_id && { userId: body.metadata.user_id }),
    ...(ignored.length > 0 && { ignored }),
  };
};

const refuseServers = ({ mcp_servers: servers }: MessagesBody): void => {
  if (servers?.length)
    throw invalidRequest(
      "`mcp_servers` is not supported: call these servers yourself, and declare their tools in `tools`.",
      "mcp_servers",
    );
};

const MOST_PLACES = 20;

/** Ignored: tools that run at Anthropic, where no ceiling holds, and citations. */
const placesLeftOut = ({ tools, messages }: MessagesBody): string[] => {
  const unread = (tools ?? []).flatMap((tool, at) => (readTool(tool, `tools.${at}`) === undefined ? [`tools.${at}`] : []));
  const uncited = messages.flatMap(({ content }, index) =>
    (typeof content === "string" ? [] : content).flatMap((block, at) =>
      "citations" in block && block.citations?.enabled ? [`messages.${index}.content.${at}.citations`] : [],
    ),
  );
  return [...unread, ...uncited].slice(0, MOST_PLACES);
};

/** Messages, system and tools: what `count_tokens` counts too. */
export const readConversation = (body: CountBody, allowedHosts: readonly string[]): ChatRequest => {
  const system = typeof body.system === "string" ? body.system : (body.system ?? []).map(({ text }) => text).join("\n\n");
  const declared = body.tools ?? [];
  const tools = offeredTools(body);
  const choice = body.tool_choice;
  const messages = body.messages.flatMap((message, index) => readMessage(message, `messages.${index}`, allowedHosts));
  if (messages.length === 0)
    throw invalidRequest("`messages.0.content` is empty, so there is nothing to answer.", "messages.0.content");
  return {
    messages: [...(system !== "" ? [{ role: "system" as const, content: system }] : []), ...messages],
    ...(tools.length > 0 && { tools }),
    ...(choice && tools.length > 0 && { toolChoice: readChoice(choice, tools, declared) }),
    ...(choice && "disable_parallel_tool_use" in choice && choice.disable_parallel_tool_use && { parallelToolCalls: false }),
  };
};

const effortOf = ({ thinking, output_config: config }: MessagesBody): ReasoningEffort | undefined => {
  const effort = config?.effort;
  if (effort === "low" || effort === "medium" || effort === "high") return effort;
  if (effort === "max" || effort === "xhigh") return "high";
  if (thinking?.type !== "enabled") return undefined;
  const budget = thinking.budget_tokens ?? 0;
  return budget >= 16_000 ? "high" : budget >= 4_000 ? "medium" : "low";
};

const thinkingOf = ({ thinking, output_config: config }: MessagesBody): ThinkingWish => {
  const { type, budget_tokens: budgetTokens, display } = thinking ?? {};
  const effort = config?.effort;
  return {
    mode: type === "enabled" || type === "adaptive" || type === "disabled" ? type : "default",
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...((display === "summarized" || display === "omitted") && { display }),
    ...((effort === "xhigh" || effort === "max") && { effort }),
  };
};

/** A user message of Anthropic's may contain tool results, which are separate messages here; they come first. */
const readMessage = (message: AnthropicMessage, at: string, allowedHosts: readonly string[]): ChatMessage[] => {
  if (typeof message.content === "string") return [{ role: message.role, content: message.content }];
  const results = message.content.flatMap((block) => (block.type === "tool_result" ? [readResult(block)] : []));
  if (message.role === "assistant") return readAnswer(message.content, at, allowedHosts);
  const parts = message.content.flatMap((block, index) => readBlock(block, `${at}.content.${index}`, allowedHosts));
  return [...results, ...(parts.length > 0 ? [{ role: message.role, content: parts }] : [])];
};

/** Empty if only thinking is left. */
const readAnswer = (blocks: readonly AnthropicBlock[], at: string, allowedHosts: readonly string[]): ChatMessage[] => {
  const parts: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  const thoughts: PastThought[] = [];
  for (const [index, block] of blocks.entries()) {
    const thought = thoughtOf(block);
    if (thought !== undefined) thoughts.push({ thought, partsBefore: parts.length, callsBefore: toolCalls.length });
    else if (block.type === "tool_use")
      toolCalls.push({ id: block.id, name: block.name, arguments: JSON.stringify(block.input ?? {}) });
    else parts.push(...readBlock(block, `${at}.content.${index}`, allowedHosts));
  }
  if (parts.length === 0 && toolCalls.length === 0) return [];
  return [
    { role: "assistant", content: parts, ...(toolCalls.length > 0 && { toolCalls }), ...(thoughts.length > 0 && { thoughts }) },
  ];
};

const thoughtOf = (block: AnthropicBlock): Thought | undefined => {
  if (block.type === "thinking" && block.signature) return { text: block.thinking ?? "", signature: block.signature };
  return block.type === "redacted_thinking" && block.data ? { redacted: block.data } : undefined;
};

const readResult = (block: AnthropicToolResult): ChatMessage => ({
  role: "tool",
  toolCallId: block.tool_use_id,
  content: resultText(block),
  ...(block.is_error && { isError: true }),
});

type ToolResultPart = Exclude<NonNullable<AnthropicToolResult["content"]>, string>[number];

const resultText = ({ content, is_error }: AnthropicToolResult): string => {
  const text = typeof content === "string" ? content : (content ?? []).map(partText).join("\n");
  return is_error ? `Error: ${text}` : text;
};

const partText = (part: ToolResultPart): string => {
  if (part.type === "text") return part.text;
  if (part.type === "search_result") return searchResultText(part);
  return part.type === "tool_reference" ? `(the tool ${part.tool_name})` : `(the ${part.type} follows)`;
};

/** Tool messages hold only text, as at most vendors; a tool's other output is put into the user message that follows. */
const resultMedia = ({ content }: AnthropicToolResult, at: string, allowedHosts: readonly string[]): ContentPart[] =>
  typeof content === "string"
    ? []
    : (content ?? []).flatMap((part, index) =>
        part.type === "image" || part.type === "document" ? readBlock(part, `${at}.content.${index}`, allowedHosts) : [],
      );

const readBlock = (block: AnthropicBlock, at: string, allowedHosts: readonly string[]): ContentPart[] => {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "image": {
      const { source } = block;
      if (source.type === "file") throw missingFile(`${at}.source.data`);
      if (source.type === "url") return [readImage(source.url, `${at}.source.url`, allowedHosts)];
      const url = imageUrl(source.media_type, source.data, `${at}.source.data`);
      if (url === undefined)
        throw invalidRequest(
          `\`${at}.source.media_type\` must be image/png, image/jpeg, image/gif or image/webp.`,
          `${at}.source.media_type`,
        );
      return [{ type: "image", url }];
    }
    case "document":
      return readDocument(block, at, allowedHosts);
    case "search_result":
      return [{ type: "text", text: searchResultText(block) }];
    case "tool_result":
      return resultMedia(block, at, allowedHosts);
    default:
      return [];
  }
};

/** A document's title and context are put before it. */
const readDocument = (
  { source, title, context }: AnthropicDocument,
  at: string,
  allowedHosts: readonly string[],
): ContentPart[] => {
  const asText = (text: string): ContentPart[] => [{ type: "text", text: [title, context, text].filter(Boolean).join("\n\n") }];
  const about = [title, context].some(Boolean) ? asText("") : [];
  switch (source.type) {
    case "text":
      return asText(source.data);
    case "content": {
      if (typeof source.content === "string") return asText(source.content);
      const parts = source.content.flatMap((part, index) => readBlock(part, `${at}.source.content.${index}`, allowedHosts));
      return [...about, ...parts];
    }
    case "file":
      throw missingFile(`${at}.source.data`);
    case "url": {
      const file = readRemotePdf(source.url, title ?? undefined, `${at}.source.url`, allowedHosts);
      return context ? [{ type: "text", text: context }, file] : [file];
    }
    default: {
      if (source.media_type !== "application/pdf")
        throw invalidRequest(`\`${at}.source.media_type\` must be application/pdf.`, `${at}.source.media_type`);
      const file = readPdf(source.data, title ?? undefined, `${at}.source.data`);
      return context ? [{ type: "text", text: context }, file] : [file];
    }
  }
};

const searchResultText = ({ title, source, content }: AnthropicSearchResult): string =>
  `${title}\n${source}\n\n${content.map(({ text }) => text).join("\n")}`;
