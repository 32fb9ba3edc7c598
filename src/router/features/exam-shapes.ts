/**
 * A multiple-choice question as numbers that say how hard it is in any field: how similar the answers are to each other and to the
 * question, what they look like, and the question's own shape. Unlike its words, these numbers also help in fields never seen.
 */

import type { Encoder } from "../../encoder/encoder.ts";
import { scanText } from "./scan-text.ts";

/** How many numbers `examShapes` gives. */
export const EXAM_SHAPES = 19;

const MOST_ANSWERS = 6;
const ANSWER_CHARACTERS = 400;
/** Lettered sections of a document are longer. */
const ANSWERS_CHARACTERS = 2_400;
const ANSWER_TOKENS = 64;
const QUESTION_CHARACTERS = 1_600;
/** Characters at the end of the question, where the actual question is. */
const ASKED_CHARACTERS = 800;
const ASKED_TOKENS = 160;

type Exam = { question: string; answers: string[] };

const OPENINGS = [
  ["\nA. ", "\nB. "],
  ["\nA) ", "\nB) "],
  ["\n(A) ", "\n(B) "],
  ["\na) ", "\nb) "],
  ["\na. ", "\nb. "],
] as const;
const FIRST_ANSWER = /\n\(?[Aa][.)] /;
const NEXT_ANSWER = /\n\(?[A-Ha-h][.)] /;

/** The list of lettered answers at the end of the text, and the text before it. */
const findExam = (text: string): Exam | undefined => {
  const tailFrom = Math.max(0, text.length - ANSWERS_CHARACTERS);
  const tail = text.slice(tailFrom);
  // Hardly any request has such a list, so a quick look comes first.
  if (!FIRST_ANSWER.test(tail)) return undefined;
  for (const [first, second] of OPENINGS) {
    const at = tailFrom + tail.lastIndexOf(first);
    if (at <= 0 || at < tailFrom || text.indexOf(second, at) < 0) continue;
    const answers = withoutCall(text.slice(at + first.length))
      .split(NEXT_ANSWER)
      .slice(0, MOST_ANSWERS);
    if (answers.length < 2) continue;
    return { question: text.slice(Math.max(0, at - QUESTION_CHARACTERS), at), answers };
  }
  return undefined;
};

/** Exams end with "Answer:". */
const withoutCall = (listed: string): string => {
  const call = listed.toLowerCase().lastIndexOf("\nanswer");
  return call >= 0 && listed.slice(call + 7).trim().length <= 1 ? listed.slice(0, call) : listed;
};

/** Undefined unless the text is a question with lettered answers. */
export const examShapes = (encoder: Encoder, text: string): number[] | undefined => {
  const exam = findExam(text);
  if (exam === undefined) return undefined;
  return [...likeness(encoder, exam), ...besideQuestion(exam), ...answerShapes(exam.answers), ...questionShapes(exam.question)];
};

/** Cosines of the answers with each other (mean, maximum) and with the question (mean, maximum, lead of the nearest over the next). */
const likeness = (encoder: Encoder, { question, answers }: Exam): number[] => {
  const size = encoder.dimensions;
  const vectors = new Float32Array((answers.length + 1) * size);
  answers.forEach((answer, i) => {
    encoder.pool(encoder.fold(answer, 0, Math.min(answer.length, ANSWER_CHARACTERS)), ANSWER_TOKENS, vectors, i * size);
  });
  encoder.pool(encoder.fold(question.slice(-ASKED_CHARACTERS)), ASKED_TOKENS, vectors, answers.length * size);
  const among: number[] = [];
  const toQuestion: number[] = [];
  for (let i = 0; i < answers.length; i++) {
    for (let j = i + 1; j < answers.length; j++) among.push(product(vectors, i * size, j * size, size));
    toQuestion.push(product(vectors, i * size, answers.length * size, size));
  }
  const [nearest, next] = toQuestion.sort((a, b) => b - a);
  return [mean(among), Math.max(...among), mean(toQuestion), nearest!, nearest! - next!];
};

const product = (vectors: Float32Array, one: number, other: number, size: number): number => {
  let sum = 0;
  for (let d = 0; d < size; d++) sum += vectors[one + d]! * vectors[other + d]!;
  return sum;
};

/** The share of the answers' words that are also in the question, and how long the answers are compared with it. */
const besideQuestion = ({ question, answers }: Exam): number[] => {
  const asked = wordsOf(question.slice(-ASKED_CHARACTERS));
  const answered = wordsOf(answers.join(" "));
  let shared = 0;
  for (const word of answered) if (asked.has(word)) shared++;
  const characters = answers.reduce((sum, answer) => sum + answer.length, 0);
  return [shared / Math.max(1, answered.size), Math.log((characters + 1) / (question.length + 1))];
};

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().split(/\s+/));

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** For each pattern, the share of answers that match it is a feature. */
const ANSWER_LOOKS = [/\d/, /^[\s\d.,/%$()^+=*<>-]*$/, /\b(?:no|not|never|none)\b/i, /,/];
const REFERS_TO_OTHERS = /\b(?:all|none|both|neither|either) of the|\bI+ (?:and|only|or)\b|\b(?:i+|iv)\)/i;

const answerShapes = (answers: string[]): number[] => [
  ...ANSWER_LOOKS.map((look) => mean(answers.map((answer) => Number(look.test(answer))))),
  Number(answers.some((answer) => REFERS_TO_OTHERS.test(answer))),
];

const questionShapes = (question: string): number[] => {
  const seen = scanText(question);
  return [
    Math.log1p(question.length) / 6,
    Math.log1p(seen.sentences),
    Math.min(1, (seen.names / Math.max(1, question.length)) * 30),
    Number(seen.formulas),
    Math.log1p(seen.lines),
    Number(question.includes("__")),
    Number(!"?.:".includes(question.trimEnd().slice(-1))),
  ];
};
