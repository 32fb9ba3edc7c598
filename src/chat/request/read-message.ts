/** Reads a message of a chat request, and checks the media in it. */

import { given } from "../../lib/given.ts";
import { partsOf } from "../../providers/dialect/message-parts.ts";
import type { Cacheable, ChatMessage, ContentPart, PastThought, ToolCall } from "../../providers/provider.ts";
import { toArguments } from "../custom-tools.ts";
import type { WireCall, WirePart } from "../message-wire.ts";
import { checkBase64, missingFile, readFileUrl, readImage, readPdf } from "./check-media.ts";
import type { ToolMessage } from "./functions-as-tools.ts";
import { textOrParts } from "./message-content.ts";
import { readCacheMark, readCacheMarks, readMessageMark } from "./read-cache-wish.ts";

/** `at`: its place in the body. Throws 400 with `param`. */
export const readMessage = (message: ToolMessage, at: string): ChatMessage =>
  markedAtEnd(readUnmarked(message, at), readMessageMark(message));

/** Clients of Anthropic's models behind this format mark whole messages. What the mark stands behind is the message's end. */
const markedAtEnd = (message: ChatMessage, mark: Cacheable): ChatMessage => {
  if (mark.cached === undefined) return message;
  if (message.role === "tool") return { ...message, ...mark };
  if (message.role === "assistant" && message.toolCalls) return { ...message, toolCalls: endMarked(message.toolCalls, mark) };
  return message.content === "" ? message : { ...message, content: endMarked(partsOf(message.content), mark) };
};

const endMarked = <Item extends Cacheable>(items: readonly Item[], mark: Cacheable): Item[] =>
  items.map((item, index) => (index === items.length - 1 ? { ...item, ...mark } : item));

const readUnmarked = (message: ToolMessage, at: string): ChatMessage => {
  switch (message.role) {
    case "user": {
      const content = typeof message.content === "string" ? message.content : readParts(message.content, `${at}.content`);
      return { role: "user", content, ...given({ name: message.name }) };
    }
    case "assistant": {
      const toolCalls = (message.tool_calls ?? []).map(readCall);
      // Clients keep answers without words as null.
      const text = readTexts(message.content ?? "") || (message.refusal ?? "");
      const content = message.images?.length ? [...partsOf(text), ...readParts(message.images, `${at}.images`)] : text;
      return {
        role: "assistant",
        content,
        ...given({ name: message.name }),
        ...(toolCalls.length > 0 && { toolCalls, ...thoughtsOf(message) }),
      };
    }
    case "tool":
      return {
        role: "tool",
        toolCallId: message.tool_call_id,
        content: typeof message.content === "string" ? message.content : textOrParts(readParts(message.content, `${at}.content`)),
        ...readCacheMarks(message.content),
      };
    default:
      return { role: "system", content: readTexts(message.content), ...given({ name: message.name }) };
  }
};

/** Vendors want back only what was thought before calls. */
const thoughtsOf = ({ reasoning_content: text }: { reasoning_content?: string | null }): { thoughts?: PastThought[] } =>
  text == null ? {} : { thoughts: [{ thought: { text }, partsBefore: 0, callsBefore: 0 }] };

const readCall = (call: WireCall): ToolCall => ({
  id: call.id,
  ...(call.type === "custom"
    ? { name: call.custom.name, arguments: toArguments(call.custom.input) }
    : { name: call.function.name, arguments: call.function.arguments }),
  ...readCacheMark(call),
});

type Texts = string | { type: string; text?: string; refusal?: string }[];

/** Separate parts only where a mark for the cache stands between them. */
const readTexts = (content: Texts): string | ContentPart[] =>
  typeof content === "string" || readCacheMarks(content).cached === undefined
    ? joinText(content)
    : content
        .filter(({ type }) => type !== "thinking")
        .map((part) => ({ type: "text", text: joinText([part]), ...readCacheMark(part) }));

const joinText = (content: Texts): string =>
  typeof content === "string" ? content : content.flatMap((part) => part.text ?? part.refusal ?? []).join("\n");

const readParts = (parts: readonly WirePart[], at: string): ContentPart[] =>
  parts.map((part, index) => ({ ...readPart(part, `${at}.${index}`), ...readCacheMark(part) }));

const readPart = (part: WirePart, at: string): ContentPart => {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "refusal":
      return { type: "text", text: part.refusal };
    case "image_url": {
      const { url, detail } = part.image_url;
      return readImage(url, `${at}.image_url.url`, detail);
    }
    case "input_audio": {
      const { data, format } = part.input_audio;
      return { type: "audio", data: checkBase64(data, `${at}.input_audio.data`), format };
    }
    case "video_url":
      return { type: "video", url: part.video_url.url, param: `${at}.video_url.url` };
    case "document": {
      const { data, name } = part.document;
      return readPdf(data, name, `${at}.document.data`);
    }
    case "file": {
      const { file_data: data, filename } = part.file;
      if (data === undefined) throw missingFile(`${at}.file.file_data`);
      return readFileUrl(data, filename, `${at}.file.file_data`);
    }
  }
};
