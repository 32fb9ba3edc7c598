/** Reads message parts, or refuses them, in the same way for every dialect. */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import { type ChatMessage, type ContentPart, isPlain, type ToolCall } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";

export const partsOf = (content: string | ContentPart[]): ContentPart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

export const plainText = (content: string | ContentPart[]): string =>
  typeof content === "string" ? content : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** All system messages as one text, for dialects that take it outside the turns. */
export const systemText = (messages: ChatMessage[]): string =>
  messages
    .flatMap((message) => (message.role === "system" ? [plainText(message.content)] : []))
    .filter((text) => text.trim() !== "")
    .join("\n\n");

export const callsIn = (message: ChatMessage): readonly ToolCall[] =>
  message.role === "assistant" ? (message.toolCalls ?? []) : [];

/** Thinking without a proof, which some vendors want back with the calls that it led to. */
export const plainThought = (message: ChatMessage): string | undefined => {
  const thoughts = message.role === "assistant" ? message.thoughts?.map(({ thought }) => thought).filter(isPlain) : undefined;
  return thoughts?.length ? thoughts.map(({ text }) => text).join("") : undefined;
};

/** The tools of past calls, by the ids of the calls. */
export const calledTools = (messages: readonly ChatMessage[]): Map<string, string> =>
  new Map(messages.flatMap(callsIn).map(({ id, name }) => [id, name]));

/** The router avoids models that lack the ability; this is the error if it could not. */
export const unsupportedPart = (dialect: string, part: ContentPart["type"], why = ""): UpstreamError =>
  new UpstreamError("bad_request", `${dialect} cannot take ${part} input${why}.`, { param: "messages" });

/** The two halves of `data:<media type>;base64,<data>`; undefined for any other URL. */
export const parseDataUrl = (url: string): { mediaType: string; data: string } | undefined => {
  if (!url.startsWith("data:")) return undefined;
  const comma = url.indexOf(",");
  const head = url.slice(5, comma === -1 ? 5 : comma);
  if (!head.endsWith(";base64")) return undefined;
  return { mediaType: head.slice(0, head.indexOf(";")).toLowerCase(), data: url.slice(comma + 1) };
};

/** How vendors write that a call has no arguments. */
export const isWithoutArguments = (text: string): boolean => ["", "{}", "null"].includes(text.trim());

/** Tool arguments as an object. Text that is no JSON object (cut off, for example) is kept in one. */
export const argumentsObject = (text: string): Record<string, unknown> => {
  const value = isWithoutArguments(text) ? {} : jsonOf(text);
  return isRecord(value) ? value : { raw: text };
};

/** Tool arguments as JSON text; vendors send text, an object, or nothing. */
export const argumentsText = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return isWithoutArguments(text) ? "{}" : text;
};

/** The request for JSON in words, for dialects and models without structured output. */
export const jsonInstruction = (format: { type: "json" } | { type: "schema"; schema: Record<string, unknown> }): string =>
  format.type === "json"
    ? "Answer with one valid JSON value and nothing else: no code fence, no explanation."
    : `Answer with one JSON value that is valid against this JSON Schema, and nothing else: no code fence, no explanation.\n${JSON.stringify(format.schema)}`;
