/** What a chat request asks for, read from its words: the instruction, the text it is about, and what else was said. */

import { asksForJson } from "../../../lib/asks-for-json.ts";
import { estimateTokens } from "../../../lib/estimate-tokens.ts";
import { calledTools, callsIn, partsOf, plainText } from "../../dialect/message-parts.ts";
import type { ChatMessage, ChatRequest, ToolCall } from "../../provider.ts";
import { type Faults, readFaults, withoutTriggers } from "../read-faults.ts";
import { splitSentences } from "../text/sentences.ts";
import { describePart } from "./describe-part.ts";
import { splitInstruction, type Task, taskOf } from "./read-task.ts";
import { readable, withinReach } from "./within-reach.ts";
import { type WrittenSchema, writtenSchema } from "./written-schema.ts";

type ToolResult = { name: string; content: string };

export type Ask = {
  /** The last user message without its triggers. */
  prompt: string;
  /** The part of the prompt that says what to do. */
  instruction: string;
  /** The part of the prompt that the instruction is about; empty if there is none. */
  body: string;
  /** System messages and earlier turns, as one text. */
  background: string;
  /** Sentences that may contain the answer. `own`: the user's words about themselves, to be said back with `your` for `my`. */
  known: { text: string; own: boolean }[];
  task: Task;
  wantsJson: boolean;
  /** The schema in the prompt or a system message, if one of them asks for JSON. */
  schema?: WrittenSchema;
  /** A sentence about each attachment of the last user message. */
  attachments: string;
  /** Results that came after the last user message. */
  toolResults: ToolResult[];
  faults: Faults;
  promptTokens: number;
};

export async function readAsk(request: ChatRequest, attempt: number): Promise<Ask> {
  const { messages } = request;
  const lastUser = lastQuestion(messages, attempt);
  const { text, faults } = readFaults(plainText(messages[lastUser]?.content ?? ""), attempt);
  const prompt = readable(text);
  const { instruction, body } = splitInstruction(prompt);
  const others = withinReach(messages.filter(({ role }, index) => (index < lastUser || role === "system") && role !== "tool"));
  const systems = others.filter(({ role }) => role === "system").map(({ content }) => readable(plainText(content)));
  const wantsJson = request.outputFormat !== undefined || asksForJson(instruction) || [prompt, ...systems].some(ordersJson);
  const schema = wantsJson ? [prompt, ...systems].map(writtenSchema).find((written) => written !== undefined) : undefined;
  const described = await Promise.all(messages.map(({ content }) => Promise.all(partsOf(content).map(describePart))));
  return {
    prompt,
    instruction,
    body,
    background: others.map(wordsOf).join("\n\n"),
    known: [...splitSentences(body).map((text) => ({ text, own: false })), ...others.flatMap(knownSentences)],
    task: taskOf(instruction, body),
    wantsJson,
    ...(schema && { schema }),
    attachments: (described[lastUser] ?? []).flatMap(({ sentence }) => sentence || []).join(" "),
    toolResults: toolResultsAfter(messages, lastUser),
    faults,
    promptTokens: described.flat().reduce((sum, { tokens }) => sum + tokens, tokensAround(request)),
  };
}

const ORDERS_JSON =
  /\b(?:only|valid|as|in) json\b|\b(?:output|return|respond|reply|answer|produce|provide|print|emit)\b[^.?!\n]{0,60}\bjson\b/i;

/** `Output JSON.`, `answer in JSON with the key …`: at either end of the text. */
const ordersJson = (text: string): boolean =>
  [text.slice(0, 4_000), text.slice(4_000).slice(-1_000)].some((end) => ORDERS_JSON.test(end) && asksForJson(end));

/**
 * The index of the caller's last message. On a later attempt the gateway may have added the model's answer and a request for one that fits
 * the schema: the caller's message is the one before.
 */
function lastQuestion(messages: readonly ChatMessage[], attempt: number): number {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[last];
  if (attempt <= 1 || !message || messages[last - 1]?.role !== "assistant") return last;
  const text = plainText(message.content);
  const isCorrection =
    /\b(?:schema|json)\b/i.test(text) && /\b(?:fit|fits|match|matches|valid|invalid|validation|conform)\b/i.test(text);
  return isCorrection ? messages.slice(0, last - 1).findLastIndex(({ role }) => role === "user") : last;
}

/** The tags around the gateway's documents, and the line before them that says how to take them. */
const FRAME = /(?:^|\n)[^\n]*\n<documents>(?=\n)|\n<\/?documents?(?: [^\n]*)?>(?=\n|$)/g;

const wordsOf = ({ content }: ChatMessage): string => readable(plainText(content)).replace(FRAME, "");

/** Instructions to the assistant, which state no facts. */
const ORDER = /^(?:you are|you're|act as|answer|use|respond|reply|cite|do not|don't|never|always|if)\b/i;

const knownSentences = (message: ChatMessage): Ask["known"] =>
  splitSentences(withoutTriggers(wordsOf(message)))
    .filter((sentence) => !sentence.endsWith("?") && !ORDER.test(sentence))
    .map((text) => ({ text, own: message.role === "user" }));

function toolResultsAfter(messages: readonly ChatMessage[], lastUser: number): ToolResult[] {
  const names = calledTools(messages);
  return messages
    .slice(lastUser + 1)
    .flatMap((message) =>
      message.role === "tool" ? [{ name: names.get(message.toolCallId) ?? "tool", content: plainText(message.content) }] : [],
    );
}

export const tokensOfCalls = (calls: readonly ToolCall[]): number =>
  calls.reduce((sum, call) => sum + estimateTokens(call.name) + estimateTokens(call.arguments) + 3, 0);

/** Tokens beside the messages' contents: a few for each message, the calls, tools and schema. */
const tokensAround = ({ messages, tools, outputFormat }: ChatRequest): number =>
  3 +
  4 * messages.length +
  tokensOfCalls(messages.flatMap(callsIn)) +
  (tools ? estimateTokens(JSON.stringify(tools)) : 0) +
  (outputFormat?.type === "schema" ? estimateTokens(JSON.stringify(outputFormat.schema)) : 0);
