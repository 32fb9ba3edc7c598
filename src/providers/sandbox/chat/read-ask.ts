/** What a chat request asks for, read from its words: the instruction, the text it is about, and what else was said. */

import { asksForJson } from "../../../lib/asks-for-json.ts";
import { plainText } from "../../dialect/message-parts.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "../../provider.ts";
import { type Faults, parseTriggers, readFaults } from "../parse-triggers.ts";
import { splitSentences } from "../text/sentences.ts";
import { type WrittenSchema, writtenSchema } from "./written-schema.ts";

type AskedTask =
  | "code"
  | "summarization"
  | "classification"
  | "extraction"
  | "translation"
  | "question"
  | "writing"
  | "reasoning"
  | "chat";

type ToolResult = { name: string; content: string };

export type Ask = {
  /** The last user message without its triggers. */
  prompt: string;
  /** The part of the prompt that says what to do. */
  instruction: string;
  /** The part of the prompt that it is to be done with; empty when there is only an instruction. */
  body: string;
  /** System messages and earlier turns, as one text. */
  background: string;
  /** Sentences in which an answer may stand; `own` are the user's words, to be turned round (`my` → `your`). */
  known: { text: string; own: boolean }[];
  task: AskedTask;
  wantsJson: boolean;
  /** The schema that their words, or the system's, hold for it. */
  schema?: WrittenSchema;
  /** Images, audio, video and documents of the last user message. */
  media: ContentPart[];
  /** Results that came after the last user message. */
  toolResults: ToolResult[];
  faults: Faults;
};

export function readAsk(request: ChatRequest, attempt: number): Ask {
  const lastUser = lastQuestion(request.messages, attempt);
  const last = request.messages[lastUser];
  const { text: prompt, faults } = readFaults(last ? plainText(last.content) : "", attempt);
  const { instruction, body } = splitInstruction(prompt);
  const others = request.messages.filter(
    (message, index) => (index < lastUser || message.role === "system") && message.role !== "tool",
  );
  const systems = others.filter(({ role }) => role === "system").map(({ content }) => plainText(content));
  const wantsJson = request.outputFormat !== undefined || asksForJson(instruction) || [prompt, ...systems].some(ordersJson);
  const schema = wantsJson ? [prompt, ...systems].map(writtenSchema).find((written) => written !== undefined) : undefined;
  return {
    prompt,
    instruction,
    body,
    background: others.map((message) => plainText(message.content)).join("\n\n"),
    known: [
      ...splitSentences(body).map((text) => ({ text, own: false })),
      ...others.flatMap((message) => knownSentences(message)),
    ],
    task: taskOf(instruction, body),
    wantsJson,
    ...(schema && { schema }),
    media: last && typeof last.content !== "string" ? last.content.filter((part) => part.type !== "text") : [],
    toolResults: toolResultsAfter(request.messages, lastUser),
    faults,
  };
}

const ORDERS_JSON =
  /\b(?:only|valid|as|in) json\b|\b(?:output|return|respond|reply|answer|produce|provide|print|emit)\b[^.?!\n]{0,60}\bjson\b/i;

/** `Output JSON.`, `answer in JSON with the key …`: at either end of the text. */
const ordersJson = (text: string): boolean =>
  [text.slice(0, 4_000), text.slice(4_000).slice(-1_000)].some((end) => ORDERS_JSON.test(end) && asksForJson(end));

/**
 * The caller's last message. On a later attempt the gateway may have shown the model its own answer and asked for one that fits the schema:
 * that exchange is not the caller's, and the triggers and facts stand before it.
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

const knownSentences = (message: ChatMessage): Ask["known"] =>
  splitSentences(parseTriggers(plainText(message.content)).text)
    // Orders to the assistant and questions state no facts.
    .filter(
      (sentence) =>
        !sentence.endsWith("?") &&
        !/^(?:you are|you're|act as|answer|use|respond|reply|cite|do not|don't|never|always|if)\b/i.test(sentence),
    )
    .map((text) => ({ text, own: message.role === "user" }));

function toolResultsAfter(messages: readonly ChatMessage[], lastUser: number): ToolResult[] {
  const names = new Map(
    messages
      .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
      .map((call) => [call.id, call.name]),
  );
  return messages
    .slice(lastUser + 1)
    .flatMap((message) =>
      message.role === "tool" ? [{ name: names.get(message.toolCallId) ?? "tool", content: plainText(message.content) }] : [],
    );
}

const CUES: readonly [task: AskedTask, cue: RegExp][] = [
  [
    "summarization",
    /\b(?:summari[sz]e|summary|tl;?dr|overview|condense|(?:key|main|bullet) points|bullets|in brief|shorten|recap|gist)\b/i,
  ],
  ["translation", /\btranslat(?:e|ion)\b/i],
  [
    "classification",
    /\b(?:classify|categori[sz]e|sentiment|spam|label (?:this|the|each)|which (?:category|class|label|of (?:these|the following))|(?:whether|if) (?:each|these|the following)|tell me whether|(?:pick|choose) (?:one|the)|one of (?:these|the following)|positive or negative)\b/i,
  ],
  [
    "extraction",
    /\b(?:extract|pull out|list (?:all|every|the (?:names?|dates?|emails?))|find all|identify (?:all|every)|(?:get|collect) all)\b/i,
  ],
  [
    "code",
    /\b(?:write|implement|create|fix|refactor|debug|generate|give|show|complete|make)\b.*\b(?:code|function|script|program|sql|query|regex|regexp|python|javascript|typescript|java|golang|rust|html|css|bash|shell|algorithm|unit tests?|class|component|endpoint)\b/i,
  ],
  ["code", /```|\b(?:implement|refactor|debug) /i],
  ["reasoning", /\b(?:solve|calculate|compute|prove|step by step|how many|how much)\b|\d\s*[-+*/×÷^]\s*\d/i],
  ["writing", /\b(?:write|compose|draft|rewrite|rephrase|poem|story|essay|slogan|tagline|haiku|limerick|song)\b/i],
  [
    "question",
    /\?\s*$|^\s*(?:what|who|whom|whose|where|when|which|why|how|is|are|was|were|do|does|did|can|could|should|will|would|has|have)\b/i,
  ],
  ["reasoning", /\b(?:explain|reason|think|why|compare|analy[sz]e)\b/i],
];

function taskOf(instruction: string, body: string): AskedTask {
  const head = instruction.slice(0, 2_000);
  const found = CUES.find(([, cue]) => cue.test(head))?.[0];
  return found ?? (body === "" ? "chat" : "question");
}

const hasCue = (text: string): boolean => CUES.some(([, cue]) => cue.test(text.slice(0, 2_000)));

/** The shortest end of the text that asks something, apart from the block it is about. */
function splitInstruction(prompt: string): { instruction: string; body: string } {
  const paragraphs = prompt.split(/\n[ \t]*\n/).map((paragraph) => paragraph.trim());
  const [first = "", last = ""] = [paragraphs[0], paragraphs.at(-1)];
  if (paragraphs.length > 1) {
    const ends = [first, last].filter(hasCue).sort((a, b) => a.length - b.length);
    const instruction = ends[0] ?? first;
    const rest = instruction === last && instruction !== first ? paragraphs.slice(0, -1) : paragraphs.slice(1);
    return { instruction, body: rest.join("\n\n") };
  }
  const cut = /^[^\n:]{3,300}(?::|\n)/.exec(prompt)?.[0].length ?? 0;
  const [head, tail] = [prompt.slice(0, cut), prompt.slice(cut).trim()];
  if (cut > 0 && tail !== "" && hasCue(head)) return { instruction: head.replace(/[:\s]+$/, ""), body: tail };
  const lastLine = prompt.slice(prompt.lastIndexOf("\n") + 1);
  if (lastLine !== prompt && hasCue(lastLine)) return { instruction: lastLine, body: prompt.slice(0, -lastLine.length).trim() };
  return { instruction: prompt, body: "" };
}
