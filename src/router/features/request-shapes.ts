/** The shape of a request as numbers: lengths, kinds of characters, marks of code, of choices and of sums. */

import type { Instruction } from "./find-instruction.ts";
import { holdsSum, type Seen, scanText } from "./scan-text.ts";

/** How many numbers `writeShapes` writes. */
export const SHAPES = 40;
/** The index of the first number of `hardnessShapes`. */
export const HARDNESS_FROM = SHAPES - 12;

const SAMPLE_CHARACTERS = 1200;

type RequestParts = { text: string; asked: Instruction; system?: Instruction; before?: Instruction; hasSchema: boolean };

const bounded = (score: number): number => Math.max(-1, Math.min(1, score / 6));

export function writeShapes(into: Float32Array, at: number, { text, asked, system, before, hasSchema }: RequestParts): void {
  const document = asked.documentTo - asked.documentFrom;
  const head = asked.text;
  const half = SAMPLE_CHARACTERS / 2;
  const sample = text.length > SAMPLE_CHARACTERS ? `${text.slice(0, half)}${text.slice(-half)}` : text;
  const seen = scanText(sample);
  const length = Math.max(1, sample.length);
  const shapes = [
    Math.log1p(text.length) / 8,
    Math.log1p(head.length) / 6,
    Math.log1p(document) / 8,
    Number(document > 100),
    Number(document > 600),
    Number(asked.documentFrom === 0 && document > 60),
    Number(text.includes("```")),
    (seen.digits / length) * 5,
    (seen.symbols / length) * 5,
    (seen.upper / length) * 4,
    Math.min(1, seen.lines / 20),
    Number(head.includes("?") || head.includes("？") || head.includes("؟")),
    Number(seen.choiceMarks),
    Number(seen.dashes),
    Number(seen.braces > 2),
    Number(seen.semicolonEnds > 1),
    Number(seen.codeWords),
    Number(hasSchema),
    Number(system !== undefined),
    Number(before !== undefined),
    asked.score > 0 ? 1 : 0,
    bounded(asked.score),
    system ? bounded(system.score) : 0,
    before ? bounded(before.score) : 0,
    Number(holdsSum(head)),
    Number(seen.wide > length / 5),
    Number(/["“«「]/.test(head)),
    Number(text.length < 40),
    ...hardnessShapes(sample, seen),
  ];
  into.set(shapes, at);
}

/** Shapes that tell how hard exam questions and word problems are: numbers, steps, choices and their form. */
function hardnessShapes(sample: string, seen: Seen): number[] {
  const numbers = Math.log1p(seen.numbers);
  const sentences = Math.log1p(seen.sentences);
  const isChoice = seen.firstChoice >= 0;
  const choices = isChoice ? sample.slice(seen.firstChoice) : "";
  // It looks like a word problem: the longer it is and the more people are in it, the more steps it has.
  const isSum = !isChoice && sentences > 1 && numbers > 0.6 && sample.length < 900 && seen.lines < 3;
  return [
    numbers / 2,
    sentences / 2,
    isSum ? Math.log(sample.length) - 5.3 : 0,
    isSum ? Math.log1p(seen.commas) - 1 : 0,
    isChoice ? Math.log1p(choices.length) / 6 : 0,
    isChoice ? Math.log1p(seen.firstChoice) / 6 : 0,
    isChoice ? Math.min(1, ((choices.match(/\d/g)?.length ?? 0) / choices.length) * 6) : 0,
    Number(seen.negations),
    Number(seen.shares || sample.includes("percent")),
    Number(seen.formulas),
    Number(isChoice && /\bI+ (?:and|only|or)\b|\b(?:all|none|both) of the\b/i.test(choices)),
    isSum ? Math.log1p(seen.names) - 1.5 : 0,
  ];
}
