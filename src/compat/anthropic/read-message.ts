/** Converts a message of Anthropic's, which is made of blocks. */

import { invalidRequest } from "../../api-error.ts";
import { imageUrl, missingFile, readImage, readPdf, readRemotePdf } from "../../chat/request/check-media.ts";
import { textOrParts } from "../../chat/request/message-content.ts";
import { readCacheMark } from "../../chat/request/read-cache-wish.ts";
import {
  type ChatMessage,
  type ContentPart,
  isPlain,
  type PastThought,
  type Thought,
  type ToolCall,
} from "../../providers/provider.ts";
import { UNSIGNED } from "../order-blocks.ts";
import type { AnthropicBlock, AnthropicDocument, AnthropicMessage, AnthropicSearchResult, AnthropicToolResult } from "./wire.ts";

/** A user message of Anthropic's may contain tool results, which are separate messages here; they come first. */
export const readMessage = (message: AnthropicMessage, at: string): ChatMessage[] => {
  if (typeof message.content === "string") return [{ role: message.role, content: message.content }];
  if (message.role === "assistant") return readAnswer(message.content, at);
  const results = message.content.flatMap((block, index) =>
    block.type === "tool_result" ? [readResult(block, `${at}.content.${index}`)] : [],
  );
  const parts = message.content.flatMap((block, index) => readBlock(block, `${at}.content.${index}`));
  return [...results, ...(parts.length > 0 ? [{ role: message.role, content: parts }] : [])];
};

/** Empty if only thinking is left. */
const readAnswer = (blocks: readonly AnthropicBlock[], at: string): ChatMessage[] => {
  const parts: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  const thoughts: PastThought[] = [];
  for (const [index, block] of blocks.entries()) {
    const thought = thoughtOf(block);
    if (thought !== undefined) thoughts.push({ thought, partsBefore: parts.length, callsBefore: toolCalls.length });
    else if (block.type === "tool_use")
      toolCalls.push({ id: block.id, name: block.name, arguments: JSON.stringify(block.input ?? {}), ...readCacheMark(block) });
    else parts.push(...readBlock(block, `${at}.content.${index}`));
  }
  if (parts.length === 0 && toolCalls.length === 0) return [];
  // Thinking in plain text goes back only with calls.
  const kept = toolCalls.length > 0 ? thoughts : thoughts.filter(({ thought }) => !isPlain(thought));
  return [
    { role: "assistant", content: parts, ...(toolCalls.length > 0 && { toolCalls }), ...(kept.length > 0 && { thoughts: kept }) },
  ];
};

const thoughtOf = (block: AnthropicBlock): Thought | undefined => {
  if (block.type === "thinking" && block.signature) {
    const text = block.thinking ?? "";
    return block.signature === UNSIGNED ? { text } : { text, signature: block.signature };
  }
  return block.type === "redacted_thinking" && block.data ? { redacted: block.data } : undefined;
};

const readResult = (block: AnthropicToolResult, at: string): ChatMessage => ({
  role: "tool",
  toolCallId: block.tool_use_id,
  content: resultContent(block, at),
  ...(block.is_error && { isError: true }),
  ...readCacheMark(block),
});

const resultContent = ({ content, is_error }: AnthropicToolResult, at: string): string | ContentPart[] => {
  const read =
    typeof content === "string"
      ? content
      : textOrParts((content ?? []).flatMap((part, index) => readResultPart(part, `${at}.content.${index}`)));
  if (!is_error) return read;
  return typeof read === "string" ? `Error: ${read}` : [{ type: "text", text: "Error:" }, ...read];
};

type ToolResultPart = Exclude<NonNullable<AnthropicToolResult["content"]>, string>[number];

const readResultPart = (part: ToolResultPart, at: string): ContentPart[] =>
  part.type === "tool_reference" ? [{ type: "text", text: `(the tool ${part.tool_name})` }] : partsIn(part, at);

/** A mark for the cache stands behind the last of a block's parts; those of a tool's result, and within it, belong to the result. */
const readBlock = (block: AnthropicBlock, at: string): ContentPart[] => {
  const parts = partsIn(block, at);
  const mark = block.type === "tool_result" ? {} : readCacheMark(block);
  if (mark.cached === undefined || parts.length === 0) return parts;
  return [...parts.slice(0, -1), { ...parts.at(-1)!, ...mark }];
};

const partsIn = (block: AnthropicBlock | ToolResultPart, at: string): ContentPart[] => {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "image": {
      const { source } = block;
      if (source.type === "file") throw missingFile(`${at}.source.data`);
      if (source.type === "url") return [readImage(source.url, `${at}.source.url`)];
      const url = imageUrl(source.media_type, source.data, `${at}.source.data`);
      if (url === undefined)
        throw invalidRequest(
          `\`${at}.source.media_type\` must be image/png, image/jpeg, image/gif or image/webp.`,
          `${at}.source.media_type`,
        );
      return [{ type: "image", url }];
    }
    case "document":
      return readDocument(block, at);
    case "search_result":
      return [{ type: "text", text: searchResultText(block) }];
    default:
      return [];
  }
};

/** A document's title and context are put before it. */
const readDocument = ({ source, title, context }: AnthropicDocument, at: string): ContentPart[] => {
  const asText = (text: string): ContentPart[] => [{ type: "text", text: [title, context, text].filter(Boolean).join("\n\n") }];
  const about = [title, context].some(Boolean) ? asText("") : [];
  switch (source.type) {
    case "text":
      return asText(source.data);
    case "content": {
      if (typeof source.content === "string") return asText(source.content);
      const parts = source.content.flatMap((part, index) => readBlock(part, `${at}.source.content.${index}`));
      return [...about, ...parts];
    }
    case "file":
      throw missingFile(`${at}.source.data`);
    case "url": {
      const file = readRemotePdf(source.url, title ?? undefined, `${at}.source.url`);
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
