/** Rule 3's detection of answers that broke off, and of whose bound a cut was. */

import { expect, test } from "bun:test";
import { isIncomplete } from "../../../src/chat/output/is-incomplete.ts";
import { type ChatResult, noUsage } from "../../../src/providers/provider.ts";

const answer = (text: string, finishReason: ChatResult["finishReason"], output = 0): ChatResult => ({
  text,
  toolCalls: [],
  finishReason,
  usage: { ...noUsage(), output },
  usageSource: output > 0 ? "provider" : "none",
});
const asked = (maxOutputTokens?: number) => ({ messages: [], ...(maxOutputTokens !== undefined && { maxOutputTokens }) });

test("a cut at the caller's own bound is what the caller wished; a cut long before it is not", () => {
  expect(isIncomplete(answer("The first of the", "length", 100), asked(100))).toBe(false);
  expect(isIncomplete(answer("The first of the", "length", 18), asked(100))).toBe(true);
  expect(isIncomplete(answer("The first of the", "length", 18), asked())).toBe(true);
});

test("without the provider's count the text tells", () => {
  expect(isIncomplete(answer("The first of the", "length"), asked(4))).toBe(false);
  expect(isIncomplete(answer("The first of the", "length"), asked(400))).toBe(true);
});

test("nothing, an open fence and a sentence left in the middle are incomplete; a finished one is not", () => {
  const prose = "The signal box at the junction was rebuilt in 1931 and has been in use ever since, as the company";
  expect(isIncomplete(answer(" \n", "stop"), asked())).toBe(true);
  expect(isIncomplete(answer("```js\nlet a", "stop"), asked())).toBe(true);
  expect(isIncomplete(answer(`${prose} and the`, "stop"), asked())).toBe(true);
  expect(isIncomplete(answer(`${prose} said.`, "stop"), asked())).toBe(false);
  expect(isIncomplete(answer(`${prose},`, "stop"), asked())).toBe(true);
  expect(isIncomplete(answer(`${prose} said. The steps are the following:`, "stop"), asked())).toBe(true);
  // So short an answer may well be all there is to say.
  for (const short of ["Between the", "Salt, pepper,", "Yes:"]) expect(isIncomplete(answer(short, "stop"), asked())).toBe(false);
});
