/** What makes a question with listed answers hard, and what is none. */

import { expect, test } from "bun:test";
import { loadEncoder } from "../../../src/encoder/encoder.ts";
import { classify } from "../../../src/router/classify.ts";
import { EXAM_SHAPES, examShapes } from "../../../src/router/features/exam-shapes.ts";

const encoder = await loadEncoder();
const complexityOf = (content: string): number =>
  classify(encoder, { messages: [{ role: "user", content }], hasSchema: false }).complexity;
const exam = (question: string, answers: string[]): string =>
  `${question}\n${answers.map((answer, i) => `${"ABCD"[i]}. ${answer}`).join("\n")}\nAnswer:`;

const SUM = exam("A capacitor of 3 μF is charged to 40 V and joined to an empty one of 5 μF. The energy lost is", [
  "0.75 mJ",
  "1.5 mJ",
  "2.4 mJ",
  "0.9 mJ",
]);
const FACT = exam("Which of these people painted the ceiling of the Sistine Chapel in Rome?", [
  "Michelangelo",
  "Charles Dickens",
  "Napoleon Bonaparte",
  "Marie Curie",
]);

test("a question with figures for answers is harder than one after a well-known name", () => {
  expect(complexityOf(SUM)).toBeGreaterThan(complexityOf(FACT) + 0.2);
});

test("answers that are nearly the same are harder to tell apart", () => {
  const question = "What does the clause about late payment oblige the tenant to do?";
  const alike = exam(question, ["pay the rent at once", "pay the rent twice", "pay no rent", "pay the rent late"]);
  const unlike = exam(question, ["pay the rent at once", "feed the cat", "paint a wall", "call the landlord's lawyer"]);
  expect(complexityOf(alike)).toBeGreaterThan(complexityOf(unlike));
});

test("a long case before the answers changes nothing about their being read", () => {
  const long = `${"The tenant wrote a letter to the landlord. ".repeat(60)}\n\n${SUM}`;
  expect(examShapes(encoder, long)).toHaveLength(EXAM_SHAPES);
  expect(examShapes(encoder, SUM.replaceAll(". ", ") "))).toHaveLength(EXAM_SHAPES);
  expect(examShapes(encoder, SUM.toLowerCase())).toHaveLength(EXAM_SHAPES);
});

test.each([
  "",
  "Write a poem about plan B. It should rhyme.",
  "\nA. one",
  "Which?\nA. \nB. \nAnswer:",
  `Summarize.\nA. Term\n${"The term is one year. ".repeat(80)}\nB. Fees\n${"Fees are due. ".repeat(80)}`,
])("what only half looks like an exam still has a finite complexity (%#)", (text) => {
  const shapes = examShapes(encoder, text);
  expect(shapes === undefined || shapes.every(Number.isFinite)).toBe(true);
  expect(Number.isFinite(complexityOf(text))).toBe(true);
});

test("lettered sections of a document and a letter in a sentence are no exam", () => {
  expect(examShapes(encoder, `Sum up.\nA. Term\n${"It lasts. ".repeat(200)}\nB. Fees\n${"Due. ".repeat(200)}`)).toBeUndefined();
  expect(examShapes(encoder, "What is plan B. again?")).toBeUndefined();
});
