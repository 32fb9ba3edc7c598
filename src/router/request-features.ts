/**
 * A request as numbers for the learned heads: hashed words of the instruction, encoder vectors of instruction, document and system
 * prompt, and a few shapes. eval/routing/dump-features.ts writes the same numbers for training, so there is one implementation.
 */
import type { Encoder } from "../encoder/encoder.ts";
import type { UnitModel } from "../encoder/heads.ts";
import type { ChatMessage, ContentPart } from "../providers/provider.ts";
import { findInstruction, type Instruction } from "./find-instruction.ts";
import { hashWords } from "./hash-words.ts";

const DIMENSIONS = 256;
/** Instruction, document, system prompt with the turns before. */
const SEGMENTS = 3;
export const SHAPES = 40;
export const DENSE = DIMENSIONS * SEGMENTS + SHAPES;

const INSTRUCTION_CHARACTERS = 520;
const CONTEXT_CHARACTERS = 300;
const DOCUMENT_HEAD_CHARACTERS = 200;
const DOCUMENT_TAIL_CHARACTERS = 120;
const INSTRUCTION_TOKENS = 96;
const DOCUMENT_TOKENS = 56;
const CONTEXT_TOKENS = 40;
const MAX_BUCKETS = 1200;
/** Log-odds above which the last message needs no help from the turn before. */
const SURELY_ASKS = 0.8;

/** Where `hardnessShapes` stands in the dense features, and in it what it says of word problems: zero for all other requests. */
const HARDNESS_AT = DIMENSIONS * SEGMENTS + SHAPES - 12;
const WORD_PROBLEM_AT = [HARDNESS_AT + 2, HARDNESS_AT + 3, HARDNESS_AT + 11] as const;

/** Length, commas and names of a word problem, centred logarithms; undefined for what does not look like one. */
export function wordProblemShapes({ dense }: RequestFeatures): number[] | undefined {
  const shapes = WORD_PROBLEM_AT.map((at) => dense[at]!);
  return shapes.some((shape) => shape !== 0) ? shapes : undefined;
}

export type RequestFeatures = {
  dense: Float32Array;
  /** Buckets of the instruction's words and letter groups; repeats count. */
  buckets: number[];
  instruction: string;
  /** Characters of the last user message. */
  characters: number;
};

export const textOf = (content: string | ContentPart[]): string => {
  if (typeof content === "string") return content;
  let text = "";
  for (const part of content) if (part.type === "text") text += text === "" ? part.text : `\n\n${part.text}`;
  return text;
};

export function readFeatures(encoder: Encoder, messages: ChatMessage[], hasSchema: boolean): RequestFeatures {
  const model = encoder.heads.units;
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const text = lastUser < 0 ? "" : textOf(messages[lastUser]!.content);
  const asked = findInstruction(model, text, INSTRUCTION_CHARACTERS);
  const system = findLeading(messages, "system", lastUser, model);
  // A bare document is asked about elsewhere: by the system prompt or the turn before.
  const before = asked.score < SURELY_ASKS ? findLeading(messages, "user", lastUser, model) : undefined;
  const context = [system, before].filter((part) => part !== undefined);

  const dense = new Float32Array(DENSE);
  const buckets: number[] = [];
  hashWords(asked.text, buckets, MAX_BUCKETS);
  for (const part of context) if (part.score > -1) hashWords(part.text.slice(0, CONTEXT_CHARACTERS), buckets, MAX_BUCKETS);
  const ids = encoder.tokenize(asked.text, INSTRUCTION_TOKENS);
  encoder.pool(ids, dense, 0);
  encoder.pool(encoder.tokenize(documentSample(text, asked), DOCUMENT_TOKENS), dense, DIMENSIONS);
  const contextText = context.map((part) => part.text.slice(0, CONTEXT_CHARACTERS)).join("\n");
  encoder.pool(encoder.tokenize(contextText, CONTEXT_TOKENS), dense, DIMENSIONS * 2);
  writeShapes(dense, DIMENSIONS * SEGMENTS, { text, asked, system, before, hasSchema });
  return { dense, buckets, instruction: asked.text, characters: text.length };
}

function findLeading(
  messages: ChatMessage[],
  role: "system" | "user",
  lastUser: number,
  model: UnitModel,
): Instruction | undefined {
  const at = messages.findLastIndex(
    (message, i) => message.role === role && i !== lastUser && (role === "system" || i < lastUser),
  );
  return at < 0 ? undefined : findInstruction(model, textOf(messages[at]!.content), CONTEXT_CHARACTERS);
}

const documentSample = (text: string, asked: Instruction): string => {
  const { documentFrom: from, documentTo: to } = asked;
  if (to - from <= DOCUMENT_HEAD_CHARACTERS + DOCUMENT_TAIL_CHARACTERS) return text.slice(from, to);
  return `${text.slice(from, from + DOCUMENT_HEAD_CHARACTERS)} ${text.slice(to - DOCUMENT_TAIL_CHARACTERS, to)}`;
};

type Parts = { text: string; asked: Instruction; system?: Instruction; before?: Instruction; hasSchema: boolean };

const has = (flag: boolean): number => (flag ? 1 : 0);

function writeShapes(into: Float32Array, at: number, { text, asked, system, before, hasSchema }: Parts): void {
  const document = asked.documentTo - asked.documentFrom;
  const head = asked.text;
  const sample = text.length > 1200 ? `${text.slice(0, 600)}${text.slice(-600)}` : text;
  const counts = countKinds(sample);
  const length = Math.max(1, sample.length);
  const shapes = [
    Math.log1p(text.length) / 8,
    Math.log1p(head.length) / 6,
    Math.log1p(document) / 8,
    has(document > 100),
    has(document > 600),
    has(asked.documentFrom === 0 && document > 60),
    has(text.includes("```")),
    (counts.digits / length) * 5,
    (counts.symbols / length) * 5,
    (counts.upper / length) * 4,
    Math.min(1, counts.lines / 20),
    has(head.includes("?") || head.includes("？") || head.includes("؟")),
    has(/\n\s*\(?[A-Da-d][.)] /.test(sample)),
    has(/\n- /.test(sample)),
    has(counts.braces > 2),
    has(counts.semicolonEnds > 1),
    has(/\b(?:def|function|class|import|select|return|const)\b/i.test(sample)),
    has(hasSchema),
    has(system !== undefined),
    has(before !== undefined),
    asked.score > 0 ? 1 : 0,
    Math.max(-1, Math.min(1, asked.score / 6)),
    system ? Math.max(-1, Math.min(1, system.score / 6)) : 0,
    before ? Math.max(-1, Math.min(1, before.score / 6)) : 0,
    has(/[=+*/^]\s*\d|\d\s*[=+*/^%]/.test(head)),
    has(counts.wide > length / 5),
    has(/["“«「]/.test(head)),
    has(text.length < 40),
    ...hardnessShapes(sample, counts),
  ];
  into.set(shapes, at);
}

/** What makes exam questions and word problems hard, as far as shapes tell: figures, steps, choices and what the choices look like. */
function hardnessShapes(sample: string, counts: ReturnType<typeof countKinds>): number[] {
  const numbers = Math.log1p(sample.match(/\d+/g)?.length ?? 0);
  const sentences = Math.log1p(sample.match(/[.?!](?:\s|$)/g)?.length ?? 0);
  const firstChoice = sample.search(/\n\(?[Aa][.)] /);
  const isChoice = firstChoice >= 0;
  const choices = isChoice ? sample.slice(firstChoice) : "";
  // A word problem, by its looks: the longer and the more people in it, the more steps.
  const isSum = !isChoice && sentences > 1 && numbers > 0.6 && sample.length < 900 && counts.lines < 3;
  const choiceDigits = choices.match(/\d/g)?.length ?? 0;
  return [
    numbers / 2,
    sentences / 2,
    isSum ? Math.log(sample.length) - 5.3 : 0,
    isSum ? Math.log1p(sample.match(/,/g)?.length ?? 0) - 1 : 0,
    isChoice ? Math.log1p(choices.length) / 6 : 0,
    isChoice ? Math.log1p(firstChoice) / 6 : 0,
    isChoice ? Math.min(1, (choiceDigits / choices.length) * 6) : 0,
    has(/\b(?:NOT|EXCEPT|not|except|least)\b/.test(sample)),
    has(/percent|%|\b(?:twice|half|third|ratio|average|total|remaining|each)\b/.test(sample)),
    has(/[\\^∫∑√≤≥→∈]|\b(?:sin|cos|log|lim|dx|matrix|vector)\b/.test(sample)),
    has(/\bI+ (?:and|only|or)\b|\b(?:all|none|both) of the\b/i.test(choices)),
    isSum ? Math.log1p(sample.match(/\b[A-Z][a-z]/g)?.length ?? 0) - 1.5 : 0,
  ];
}

function countKinds(text: string) {
  const counts = { digits: 0, symbols: 0, upper: 0, lines: 0, braces: 0, semicolonEnds: 0, wide: 0 };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 97 && code <= 122) continue;
    if (code >= 48 && code <= 57) counts.digits++;
    else if (code >= 65 && code <= 90) counts.upper++;
    else if (code === 10) counts.lines++;
    else if (code > 0x300) counts.wide++;
    else if (code > 32 && code < 127) {
      counts.symbols++;
      if (code === 123 || code === 125) counts.braces++;
      if (code === 59 && text.charCodeAt(i + 1) === 10) counts.semicolonEnds++;
    }
  }
  return counts;
}
