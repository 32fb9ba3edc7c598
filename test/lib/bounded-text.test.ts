/** Bounds count characters: what the price counts, and what a client of any language counts. */

import { expect, test } from "bun:test";
import { ApiError } from "../../src/api-error.ts";
import { Speech } from "../../src/audio/speech-wire.ts";
import { checkShape } from "../../src/http/read-json.ts";
import { countCharacters } from "../../src/lib/bounded-text.ts";

const speak = (input: unknown) => checkShape(Speech, { model: "tts-1", voice: "alloy", input }).input;
const complaint = (input: unknown): { param: unknown; message: string } => {
  try {
    speak(input);
  } catch (error) {
    if (error instanceof ApiError) return { param: error.options.param, message: error.message };
  }
  throw new Error("it was taken");
};

test("a text of exactly the bound passes whatever it is written in", () => {
  for (const character of ["a", "é", "狐", "🦊"]) {
    expect(countCharacters(speak(character.repeat(4_096)))).toBe(4_096);
    expect(complaint(character.repeat(4_097)).param).toBe("input");
  }
});

test("the complaint says what is taken", () => {
  for (const input of ["", " \n", 5, null]) {
    expect(complaint(input)).toEqual({
      param: "input",
      message: `\`input\` must be a string from 1 to 4096 characters that is not blank; it was ${JSON.stringify(input)}.`,
    });
  }
});
