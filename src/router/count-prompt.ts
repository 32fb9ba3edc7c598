/** Estimates a conversation's tokens: for text by `estimateTokens`, for media by what vendors bill. */

import type { ChatModel, PictureTokens } from "../catalog/model.ts";
import { estimateTokens } from "../lib/estimate-tokens.ts";
import { splitSignature } from "../providers/dialect/tool-call-ids.ts";
import type { ChatMessage, ChatRequest, ContentPart, Thought } from "../providers/provider.ts";

/** Framing tokens of each message. */
const PER_MESSAGE = 4;
/** The instruction for JSON, which providers without a JSON mode are given (`jsonInstruction`). */
const PER_FORMAT = 32;
/** What a vendor says about the schema that it enforces, and how much longer it writes it; Anthropic says and writes most. */
const PER_SCHEMA = 96;
const SCHEMA_SCALE = 1.75;
/** A large picture tiled at high detail; most vendors bill less. `extraTokens` covers those that bill more. */
const PER_PICTURE: PictureTokens = { most: 1_600, low: 300 };
/** Sixteen thousand base64 characters are about one second of 96 kbit/s audio, which vendors count as about 32 tokens. */
const AUDIO_CHARACTERS_PER_TOKEN = 500;
/** A page of a PDF is billed as its text and its picture; a page takes some 40 KB of base64. */
const PDF_CHARACTERS_PER_PAGE = 40_000;
const PER_PDF_PAGE = 2_000;
/** A PDF named by URL is counted before it is fetched, so it may not have more pages than this. */
export const REMOTE_PDF_PAGES = 50;
export const REMOTE_PDF_TOKENS = REMOTE_PDF_PAGES * PER_PDF_PAGE;
/** Framing tokens of each tool definition. */
const PER_TOOL = 16;
/** The longest definition among the tools that Anthropic defines itself. */
const PER_NATIVE_TOOL = 700;
/** Tokens of the instructions that a chat template adds for tools, if the catalog does not know the model's; Llama's are the longest. */
const TOOL_INSTRUCTIONS = 400;
const PER_VIDEO = 20_000;
/** A token is about four characters of text, and base64 has a third more characters than what it encodes. */
const SEALED_CHARACTERS_PER_TOKEN = 5;

/** Tokens of the whole prompt: messages, tool definitions and the schema that goes with them. */
export const countPrompt = (request: ChatRequest): number => {
  let tokens = 3 + estimateTokens(request.forAnthropic?.attribution ?? "");
  for (const message of request.messages) tokens += countMessage(message);
  if (request.tools !== undefined) tokens += estimateTokens(JSON.stringify(request.tools)) + request.tools.length * PER_TOOL;
  for (const { native } of request.tools ?? []) if (native !== undefined) tokens += PER_NATIVE_TOOL;
  if (request.outputFormat !== undefined) tokens += PER_FORMAT;
  if (request.outputFormat?.type === "schema") tokens += countSchema(request.outputFormat.schema);
  return tokens;
};

const countSchema = (schema: Record<string, unknown>): number =>
  Math.ceil(estimateTokens(JSON.stringify(schema)) * SCHEMA_SCALE) + PER_SCHEMA;

export const countMessage = (message: ChatMessage): number => {
  let tokens = PER_MESSAGE;
  if (typeof message.content === "string") tokens += estimateTokens(message.content);
  else for (const part of message.content) tokens += countPart(part);
  if (message.role === "assistant") {
    for (const call of message.toolCalls ?? [])
      tokens += estimateTokens(call.name) + estimateTokens(call.arguments) + countSealed(call.id) + PER_MESSAGE;
    for (const { thought } of message.thoughts ?? []) tokens += countThought(thought);
  }
  return tokens;
};

/** Tokens of the sealed thinking that the id of a tool call contains and that goes back to the vendor. */
const countSealed = (id: string): number => {
  const { openai = "", google = "" } = splitSignature(id);
  return Math.ceil((openai.length + google.length) / SEALED_CHARACTERS_PER_TOKEN);
};

/** The visible text of a thought is often a summary, or empty, so its seal is counted too. */
const countThought = (thought: Thought): number => {
  if ("redacted" in thought) return Math.ceil(thought.redacted.length / SEALED_CHARACTERS_PER_TOKEN);
  const { text, signature = "" } = thought;
  return Math.max(estimateTokens(text), Math.ceil(signature.length / SEALED_CHARACTERS_PER_TOKEN));
};

const countPart = (part: ContentPart): number => {
  switch (part.type) {
    case "text":
      return estimateTokens(part.text);
    case "image":
      return part.detail === "low" ? PER_PICTURE.low : PER_PICTURE.most;
    case "audio":
      return Math.ceil(part.data.length / AUDIO_CHARACTERS_PER_TOKEN) + 10;
    case "document":
      return part.data === "" ? REMOTE_PDF_TOKENS : countPdf(part.data);
    case "video":
      return PER_VIDEO;
  }
};

export const countPdf = (data: string): number =>
  Math.max(Math.ceil(data.length / PDF_CHARACTERS_PER_PAGE), pagesNamed(data)) * PER_PDF_PAGE;

/** What vendors bill so differently that it is counted for each model. */
type Extras = { pictures: number; lowPictures: number; hasTools: boolean };

export const extrasIn = ({ messages, tools = [] }: ChatRequest): Extras => {
  const extras = { pictures: 0, lowPictures: 0, hasTools: tools.length > 0 };
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) if (part.type === "image") extras[part.detail === "low" ? "lowPictures" : "pictures"]++;
  }
  return extras;
};

/** The tokens that a model's vendor bills beyond the `promptTokens` of `countPrompt`; negative if it bills less. */
export const extraTokens = (promptTokens: number, { pictures, lowPictures, hasTools }: Extras, model: ChatModel): number => {
  const { pictureTokens = PER_PICTURE, toolTokens = TOOL_INSTRUCTIONS, tokenScale = 1 } = model;
  const counted = pictures * PER_PICTURE.most + lowPictures * PER_PICTURE.low;
  const forWords = Math.ceil((promptTokens - counted) * (tokenScale - 1));
  return forWords + pictures * pictureTokens.most + lowPictures * pictureTokens.low - counted + (hasTools ? toolTokens : 0);
};

/**
 * How many characters around its name are searched of each page tree node; longer nodes list many children, which are searched themselves.
 */
const NODE_CHARACTERS = 2_000;
const PAGE_TREE_NODE = /\/Type ?\/Pages\b/g;

/** Pages according to a PDF's page tree, if that is not compressed: many pages of plain text take little room. */
const pagesNamed = (data: string): number => {
  const text = Buffer.from(data, "base64").toString("latin1");
  let pages = 0;
  for (const { index } of text.matchAll(PAGE_TREE_NODE)) {
    const before = text.slice(Math.max(0, index - NODE_CHARACTERS), index);
    const after = text.slice(index, index + NODE_CHARACTERS);
    const node = before.slice(before.lastIndexOf("obj") + 1) + after.split("endobj", 1)[0]!;
    pages = Math.max(pages, Number(/\/Count (\d{1,5})\b/.exec(node)?.[1] ?? 0));
  }
  return pages;
};
