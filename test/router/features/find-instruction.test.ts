import { expect, test } from "bun:test";
import { loadEncoder } from "../../../src/encoder/encoder.ts";
import { findInstruction } from "../../../src/router/features/find-instruction.ts";

const encoder = await loadEncoder();
const instructionIn = (text: string): string => findInstruction(encoder, text, 520).text;

const ESSAY =
  "Canals were dug long before steam. They followed the contours of the land, because a lock was dear and a bend cheap. When railways came, " +
  "the bends that had saved money cost time, and within two generations most of the boats had gone.";
const MAIL =
  "Hi Jo,\nthe second pallet arrived wet, and four cartons are torn.\nCan you send the driver back on Friday?\nThe rest is fine so far.\nMarek";

test.each([
  ["Proofread.", ESSAY],
  ["en español", ESSAY],
  ["make it rhyme", ESSAY],
  ["tl;dr", MAIL],
  ["shorter", MAIL],
  ["auf Deutsch bitte", MAIL],
] as const)("«%s» below a longer text is part of the instruction", (ask, text) => {
  expect(instructionIn(`${text}\n\n${ask}`)).toContain(ask);
});

test("what stands above a longer text is part of the instruction, and the text is not", () => {
  expect(instructionIn(`tl;dr\n\n${ESSAY}`)).toContain("tl;dr");
  expect(instructionIn(`Which figures are named here?\n\n${ESSAY}`)).not.toContain("generations");
});

test("a prompt of examples asks by all of them, however much one of its lines looks like a request", () => {
  const examples =
    "Utterance: play some jazz\nIntent: music\nUtterance: wake me at six\nIntent: alarm\nUtterance: turn the lights off\nIntent:";
  for (const line of examples.split("\n")) expect(instructionIn(examples)).toContain(line);
});
