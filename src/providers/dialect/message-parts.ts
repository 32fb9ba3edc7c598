/** Reading and refusing message parts, the same way in every dialect. */

import { jsonOf } from "../../lib/is-json.ts";
import { recordAt } from "../../lib/json-at.ts";
import type { ChatMessage, ContentPart } from "../provider.ts";
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

/** The router keeps such requests away by the model's abilities; this is the last word when it could not. */
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

/** Tool arguments as an object: what the model wrote, or nothing where it wrote no JSON object. */
export const argumentsObject = (text: string): Record<string, unknown> => recordAt(jsonOf(text));

/** Arguments may come as JSON text, as an object, or not at all. */
export const argumentsText = (value: unknown): string => {
  if (typeof value === "string") return value.trim() === "" ? "{}" : value;
  return value === undefined || value === null ? "{}" : JSON.stringify(value);
};

/** Where a dialect or model has no structured output, the prompt has to ask for it. */
export const jsonInstruction = (
  format: { type: "json" } | { type: "schema"; schema: Record<string, unknown> } | undefined,
): string | undefined => {
  if (format === undefined) return undefined;
  if (format.type === "json") return "Answer with one valid JSON value and nothing else: no code fence, no explanation.";
  return `Answer with one JSON value that is valid against this JSON Schema, and nothing else: no code fence, no explanation.\n${JSON.stringify(format.schema)}`;
};
