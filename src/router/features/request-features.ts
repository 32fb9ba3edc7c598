/**
 * A request as numbers for the learned heads: hashed words of the instruction, encoder vectors of instruction, document and system
 * prompt, and a few shapes. eval/routing/dump-features.ts writes the same numbers for training, so there is one implementation.
 */
import { DIMENSIONS } from "../../encoder/dimensions.ts";
import type { Encoder } from "../../encoder/encoder.ts";
import type { Inputs } from "../../encoder/heads.ts";
import { examShapes } from "./exam-shapes.ts";
import { findInstruction, type Instruction } from "./find-instruction.ts";
import { hashWords } from "./hash-words.ts";
import { HARDNESS_FROM, SHAPES, writeShapes } from "./request-shapes.ts";
import type { RequestTexts } from "./request-texts.ts";

/** The instruction, the document, and the context (the system prompt and the turn before). */
const SEGMENTS = 3;
export const DENSE = DIMENSIONS * SEGMENTS + SHAPES;

const INSTRUCTION_CHARACTERS = 520;
const CONTEXT_CHARACTERS = 300;
const DOCUMENT_HEAD_CHARACTERS = 200;
const DOCUMENT_TAIL_CHARACTERS = 120;
const INSTRUCTION_TOKENS = 96;
const DOCUMENT_TOKENS = 56;
const CONTEXT_TOKENS = 40;
const MAX_BUCKETS = 1200;
/** Log-odds of asking for something above which the last message is understood without the turn before. */
export const SURELY_ASKS = 0.8;
/** A message shorter than this may refer to the turn before: «shorter», «and in French?». */
const FOLLOW_UP_CHARACTERS = 60;

/** Index of the difficulty shapes in the dense features, and of those for word problems, which are zero for all other requests. */
const HARDNESS_AT = DIMENSIONS * SEGMENTS + HARDNESS_FROM;
const WORD_PROBLEM_AT = [HARDNESS_AT + 2, HARDNESS_AT + 3, HARDNESS_AT + 11] as const;

/** Length, commas and names of a word problem, as centred logarithms; undefined if the request does not look like one. */
export function wordProblemShapes({ dense }: RequestFeatures): number[] | undefined {
  const shapes = WORD_PROBLEM_AT.map((at) => dense[at]!);
  return shapes.some((shape) => shape !== 0) ? shapes : undefined;
}

/** Fills the first DENSE numbers of `dense`. The buckets are those of words and letter groups; each occurrence counts. */
export type RequestFeatures = Inputs & {
  instruction: string;
  /** How many of the buckets are the instruction's; they come first. */
  asked: number;
  /** Only for a question with answers to choose from. */
  exam: number[] | undefined;
  /** Characters of the last user message. */
  characters: number;
};

export function readFeatures(encoder: Encoder, texts: RequestTexts, hasSchema: boolean): RequestFeatures {
  const { text } = texts;
  const instructionOf = (leading: string | undefined): Instruction | undefined =>
    leading === undefined ? undefined : findInstruction(encoder, leading, CONTEXT_CHARACTERS);
  const asked = findInstruction(encoder, text, INSTRUCTION_CHARACTERS);
  const system = instructionOf(texts.system);
  // If the message is only a document, the system prompt or the turn before says what is wanted.
  const before = asked.score < SURELY_ASKS || text.length < FOLLOW_UP_CHARACTERS ? instructionOf(texts.before) : undefined;
  const context = [system, before].filter((part) => part !== undefined);

  const { dense, buckets } = encoder.heads.inputs;
  const instruction = encoder.fold(asked.text);
  const askedCount = hashWords(instruction, buckets, 0, MAX_BUCKETS);
  let count = askedCount;
  encoder.pool(instruction, INSTRUCTION_TOKENS, dense, 0);
  for (const { text, score } of context) {
    if (score > -1)
      count = hashWords(encoder.fold(text, 0, Math.min(text.length, CONTEXT_CHARACTERS)), buckets, count, MAX_BUCKETS);
  }
  encoder.pool(encoder.fold(documentSample(text, asked)), DOCUMENT_TOKENS, dense, DIMENSIONS);
  const contextText = context.map((part) => part.text.slice(0, CONTEXT_CHARACTERS)).join("\n");
  encoder.pool(encoder.fold(contextText), CONTEXT_TOKENS, dense, DIMENSIONS * 2);
  writeShapes(dense, DIMENSIONS * SEGMENTS, { text, asked, system, before, hasSchema });
  const exam = examShapes(encoder, text);
  return { dense, buckets, count, asked: askedCount, instruction: asked.text, exam, characters: text.length };
}

const documentSample = (text: string, asked: Instruction): string => {
  const { documentFrom: from, documentTo: to } = asked;
  if (to - from <= DOCUMENT_HEAD_CHARACTERS + DOCUMENT_TAIL_CHARACTERS) return text.slice(from, to);
  return `${text.slice(from, from + DOCUMENT_HEAD_CHARACTERS)} ${text.slice(to - DOCUMENT_TAIL_CHARACTERS, to)}`;
};
