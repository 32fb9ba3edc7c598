/** Converts messages to Gemini contents: user and model alternate, results carry their function's name, signatures are sent back. */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import { recordsAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { mediaAfterResults } from "../dialect/media-after-results.ts";
import { frameTurns, mergeTurns, type Turn } from "../dialect/merge-turns.ts";
import { argumentsObject, calledTools, callsIn, parseDataUrl, partsOf, plainText, systemText } from "../dialect/message-parts.ts";
import { bareId, splitSignature } from "../dialect/tool-call-ids.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import type { ChatMessage, ContentPart, ToolCall } from "../provider.ts";

const MEDIA_TYPES: Record<string, string> = {
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

type ToolResult = Extract<ChatMessage, { role: "tool" }>;

const textPart = (text: string): WireBody => ({ text });

const extensionOf = (url: string): string => /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url.slice(-300))?.[1]?.toLowerCase() ?? "";

/** Inline data stays inline; a URL becomes a reference with the type that its name suggests. */
const mediaPart = (url: string, fallbackType: string): WireBody => {
  const data = parseDataUrl(url);
  if (data) return { inlineData: { mimeType: data.mediaType || fallbackType, data: data.data } };
  return { fileData: { mimeType: ownValue(MEDIA_TYPES, extensionOf(url)) ?? fallbackType, fileUri: url } };
};

const wirePart = (part: ContentPart): WireBody[] => {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [textPart(part.text)];
    case "image":
      return [mediaPart(part.url, "image/jpeg")];
    case "video":
      return [mediaPart(part.url, "video/mp4")];
    case "audio":
      return [{ inlineData: { mimeType: `audio/${part.format}`, data: part.data } }];
    case "document":
      return [{ inlineData: { mimeType: part.mediaType, data: part.data } }];
  }
};

/** Newer models refuse a past call without a signature; this placeholder stands for calls that another model made. */
export const FOREIGN_SIGNATURE = "skip_thought_signature_validator";

const callPart = (call: ToolCall, needsSignature: boolean): WireBody => {
  const { id, google: signature } = splitSignature(call.id);
  const thoughtSignature = signature ?? (needsSignature ? FOREIGN_SIGNATURE : undefined);
  return {
    functionCall: { id, name: call.name, args: argumentsObject(call.arguments) },
    ...(thoughtSignature && { thoughtSignature }),
  };
};

/**
 * A tool's response must be an object: its JSON object, or its text in a field. What went wrong has a field of its own. Gemini reads a
 * `$ref` in the object as a reference to a medium beside it, and refuses a schema that a tool has read.
 */
const responseObject = ({ content, isError }: ToolResult): WireBody => {
  const text = plainText(content);
  if (isError) return { error: text };
  const value = jsonOf(text);
  return isRecord(value) && !JSON.stringify(value).includes('"$ref"') ? value : { result: text };
};

/** Past calls as if another model had made them, for models that reject the signatures or miss one. */
export const withForeignSignatures = (contents: WireBody[]): WireBody[] =>
  contents.map((turn) => {
    const parts = recordsAt(turn, "parts");
    const first = parts.findIndex((part) => "functionCall" in part);
    const sign = (part: WireBody, place: number): WireBody => {
      const { thoughtSignature: _, ...bare } = part;
      return place === first ? { ...bare, thoughtSignature: FOREIGN_SIGNATURE } : bare;
    };
    return { ...turn, parts: parts.map(sign) };
  });

export const buildContents = (messages: ChatMessage[], needsSignatures: boolean): WireBody[] => {
  const nameOf = calledTools(messages);
  const toTurn = (message: ChatMessage): Turn<WireBody> => {
    if (message.role === "tool") {
      const name = nameOf.get(message.toolCallId) ?? "";
      const response = { id: bareId(message.toolCallId), name, response: responseObject(message) };
      return { role: "user", blocks: [{ functionResponse: response }] };
    }
    if (message.role !== "assistant") return { role: "user", blocks: partsOf(message.content).flatMap(wirePart) };
    // Of parallel calls only the first has a signature.
    const parts = callsIn(message).map((call, place) => callPart(call, needsSignatures && place === 0));
    return { role: "assistant", blocks: [...partsOf(message.content).flatMap(wirePart), ...parts] };
  };
  const turns = mergeTurns(mediaAfterResults(messages.filter(({ role }) => role !== "system")).map(toTurn));
  return frameTurns(turns, textPart, systemText(messages)).map(({ role, blocks }) => ({
    role: role === "assistant" ? "model" : "user",
    parts: blocks,
  }));
};
