import { expect, test } from "bun:test";
import { compileContentPolicies } from "../../../src/policies/content/content-rules.ts";
import { createAnswerReview } from "../../../src/policies/content/review-answer-stream.ts";
import { reviewAnyText } from "../../../src/policies/content/review-json.ts";
import { randomFrom } from "../../support/random.ts";
import { contentPolicy } from "../policy-of.ts";

const rulesFor = (action: "redact" | "block") =>
  compileContentPolicies([contentPolicy({ pii_detection: { types: ["email", "ssn"], action } })]);
const redacting = rulesFor("redact");
const numbers = compileContentPolicies([contentPolicy({ pii_detection: { types: ["ssn_no_dash"], action: "redact" } })]);

/** What has left after each piece, and at the end. */
const flowOf = async (text: string, sizes: () => number, rules = redacting) => {
  const review = createAnswerReview(rules);
  const left: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = sizes();
    left.push(review.push(text.slice(at, at + size)));
    at += size;
  }
  left.push(await review.end());
  return { left, text: left.join(""), evaluation: review.evaluation(), blocked: review.blocked() };
};

test("an answer that is JSON leaves as it would if it were not streamed, however it is cut", async () => {
  const random = randomFrom(1);
  for (const text of [
    String.raw`{"mail":"ann\u0040example.com","quoted":"she said \"219-09-9999\"","list":[1,true,null]}`,
    String.raw` [{"ssn": "219-09-9999"}, "x\n219-09-9999", "}"]`,
    String.raw`{"cut off": "ann\u0040example.com`,
    "{}",
  ]) {
    const whole = reviewAnyText(redacting, text);
    for (let round = 0; round < 20; round++) {
      const flowed = await flowOf(text, () => 1 + random.integer(9));
      expect([flowed.text, flowed.evaluation.pii_count]).toEqual([whole.text, whole.evaluation.pii_count]);
    }
  }
});

test("what is redacted leaves streamed JSON valid", async () => {
  expect(JSON.parse((await flowOf('{"ssn": 219099999}', () => 3, numbers)).text)).toEqual({ ssn: "[REDACTED]" });
});

test("prose is not held, nor is what follows the value", async () => {
  for (const text of [
    "Hello there, how are you?",
    "[Note] that this is prose",
    "[1] The first of three",
    "} is a bracket",
    '"Hm"',
  ])
    expect((await flowOf(text, () => 4)).left.slice(0, 5).join("")).not.toBe("");
  const { left, text } = await flowOf('{"a":1} and so on it goes', () => 1);
  expect([left.slice(0, 6).join(""), left[6]]).toEqual(["", '{"a":1}']);
  expect(text).toBe('{"a":1} and so on it goes');
  const asked = '{"ssn": 219099999}. And so on it goes';
  for (const size of [20, 1_000])
    expect((await flowOf(asked, () => size, numbers)).text).toBe('{"ssn": "[REDACTED]"}. And so on it goes');
});

test("a value that a policy blocks does not leave, nor does anything behind it", async () => {
  const { text, blocked, evaluation } = await flowOf(
    String.raw`{"mail":"ann\u0040example.com"} That was all.`,
    () => 5,
    rulesFor("block"),
  );
  expect([text, blocked, evaluation.result]).toEqual(["", true, "block"]);
});

test("what is longer than any honest value flows", async () => {
  const text = `{"a":"${"word ".repeat(220_000)}`;
  const { left } = await flowOf(text, () => 50_000);
  expect(left.slice(0, -1).join("").length).toBeGreaterThan(1_000_000);
});

test("while a long value is reviewed, others have their turn", async () => {
  const text = `${JSON.stringify(Array(6_000).fill({ ssn: 219_099_999 }))} That was all.`;
  const review = createAnswerReview(numbers);
  for (let at = 0; at < text.length; at += 1_000) expect(review.push(text.slice(at, at + 1_000))).toBe("");
  let turns = 0;
  let isOver = false;
  const count = (): unknown => ++turns && !isOver && setImmediate(count);
  count();
  const rest = await review.end();
  isOver = true;
  expect(turns).toBeGreaterThan(3);
  expect(rest).toBe(`${JSON.stringify(Array(6_000).fill({ ssn: "[REDACTED]" }))} That was all.`);
});
