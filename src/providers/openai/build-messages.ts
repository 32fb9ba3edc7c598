/** Converts messages to those of OpenAI chat completions: ids that a server takes, and what a model wants back of its earlier turns. */

import type { ModelQuirks } from "../../catalog/model.ts";
import { isJson } from "../../lib/is-json.ts";
import { mediaAfterResults } from "../dialect/media-after-results.ts";
import { argumentsObject, callsIn, partsOf, plainText, plainThought, unsupportedPart } from "../dialect/message-parts.ts";
import { nineCharacterId, numberedId, portableId } from "../dialect/tool-call-ids.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "../provider.ts";
import { isGemini, withSignatures } from "./gemini-signatures.ts";
import { isSwitchedOff, wantsThoughtBack } from "./thinking.ts";

const DIALECT = "The OpenAI chat format";
/** OpenAI refuses longer ids. */
const MAX_TOOL_ID = 40;

type IdOf = (id: string) => string;

const wirePart = (part: ContentPart): WireBody => {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: part.url, detail: part.detail } };
    case "audio":
      return { type: "input_audio", input_audio: { data: part.data, format: part.format } };
    case "document":
      return {
        type: "file",
        file: { filename: part.name ?? "document.pdf", file_data: `data:${part.mediaType};base64,${part.data}` },
      };
    case "video":
      throw unsupportedPart(DIALECT, part.type);
  }
};

const wireContent = (content: string | ContentPart[]): unknown => {
  if (typeof content === "string") return content;
  return content.every((part) => part.type === "text") ? plainText(content) : partsOf(content).map(wirePart);
};

/** Servers parse the arguments of past calls. */
export const validArguments = (text: string): string => (isJson(text) ? text : JSON.stringify(argumentsObject(text)));

/** OpenAI refuses blanks and some signs in it, and more than 64 characters. */
const speakerOf = ({ name = "" }: { name?: string }): WireBody => {
  const speaker = name.replace(/[\s<|\\/>]+/g, "_").slice(0, 64);
  return speaker === "" ? {} : { name: speaker };
};

const wireMessage = (message: ChatMessage, systemRole: string, idOf: IdOf): WireBody => {
  switch (message.role) {
    case "system":
      return { role: systemRole, content: plainText(message.content), ...speakerOf(message) };
    case "user":
      return { role: "user", content: wireContent(message.content), ...speakerOf(message) };
    case "tool":
      return { role: "tool", tool_call_id: idOf(message.toolCallId), content: plainText(message.content) };
    case "assistant": {
      const text = plainText(message.content);
      const calls = message.toolCalls?.map((call) => ({
        id: idOf(call.id),
        type: "function",
        function: { name: call.name, arguments: validArguments(call.arguments) },
      }));
      const said = calls?.length ? { content: text || null, tool_calls: calls } : { content: text };
      return { role: "assistant", ...speakerOf(message), ...said };
    }
  }
};

const idsFor = (model: string, { messages }: ChatRequest, quirks: ModelQuirks): IdOf => {
  if (quirks.nineCharacterToolIds) return nineCharacterId;
  return /kimi/i.test(model) ? numberedId(messages.flatMap(callsIn)) : (id) => portableId(id, MAX_TOOL_ID);
};

export const buildMessages = (model: string, request: ChatRequest, systemRole: string, quirks: ModelQuirks): WireBody[] => {
  const idOf = idsFor(model, request, quirks);
  const thinks = wantsThoughtBack(quirks) && !isSwitchedOff(request, quirks);
  const signs = isGemini(model);
  return mediaAfterResults(request.messages).map((message) => {
    const unsigned = wireMessage(message, systemRole, idOf);
    const wire = signs ? withSignatures(message, unsigned) : unsigned;
    const thought = thinks ? plainThought(message) : undefined;
    return thought === undefined ? wire : { ...wire, reasoning_content: thought };
  });
};
