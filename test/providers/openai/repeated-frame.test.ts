/** A frame that differs from the last in its text alone is read without being parsed, and says the same as if it were. */

import { expect, test } from "bun:test";
import { createOpenAiReader } from "../../../src/providers/openai/answer-reader.ts";
import { learnFrame, newRepeatedFrame, repeatedText } from "../../../src/providers/openai/repeated-frame.ts";
import type { ChatEvent } from "../../../src/providers/provider.ts";
import { askFor } from "../../support/chat-provider.ts";
import { randomFrom } from "../../support/random.ts";

const frameOf = (content: string, more: object = {}): string =>
  JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more });

/** What a reader tells of these frames. A new one for each frame has none to compare it with. */
const told = (frames: readonly string[], isNew = false): ChatEvent[] => {
  const all: ChatEvent[] = [];
  const create = () => {
    const events: ChatEvent[] = [];
    const reader = createOpenAiReader({ provider: "Stub", request: askFor("hi"), quirks: {} }, events);
    return (frame: string): void => {
      reader.readFrame(frame);
      all.push(...events.splice(0));
    };
  };
  let read = create();
  for (const frame of frames) {
    if (isNew) read = create();
    read(frame);
  }
  return all;
};

const known = (frame: string, text: string) => {
  const repeated = newRepeatedFrame();
  learnFrame(repeated, frame, text);
  return repeated;
};

test("the next frame's text is known from the one before", () => {
  const repeated = known(frameOf("Hello"), "Hello");
  for (const text of [" wörld 😀", "", '"', "\\", "\n", 'a","refusal":"b'])
    expect(repeatedText(repeated, frameOf(text))).toBe(text);
  const frame = frameOf("x");
  for (const other of [
    frameOf("x", { usage: {} }),
    frame.slice(0, -1),
    frame.replace('"x"', '"x","refusal":"y"'),
    frame.replace('"x"', '"x\n"'),
    frame.replace('"x"', '"\\"'),
    frame.replace('"x"', '"'),
  ])
    expect(repeatedText(repeated, other)).toBeUndefined();
});

test("text that stands elsewhere in the frame is not taken for the content", () => {
  expect(repeatedText(known(frameOf("c"), "c"), frameOf("d"))).toBeUndefined();
  const spaced = '{"meta":{"content":"x"},"choices":[{"delta":{"content":"x"}}]}';
  expect(repeatedText(known(spaced, "x"), spaced.replace('{"content":"x"},', '{"content":"y"},'))).toBeUndefined();
});

test("frames with random letters are not learned again and again", () => {
  const repeated = newRepeatedFrame();
  for (let frame = 0; frame < 10; frame++) learnFrame(repeated, frameOf("a", { obfuscation: `${frame}` }), "a");
  expect(repeatedText(repeated, frameOf("b", { obfuscation: "2" }))).toBe("b");
  expect(repeatedText(repeated, frameOf("b", { obfuscation: "9" }))).toBeUndefined();
});

test("whatever the frames of a stream, they tell the same as each would alone", () => {
  const { next } = randomFrom(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const more = [{}, {}, {}, { usage: null }, { usage: { prompt_tokens: 1, completion_tokens: 2 } }, { id: "d" }];
  const deltas = (text: string): object[] => [
    ...Array.from({ length: 6 }, () => ({ content: text })),
    { role: "assistant", content: text },
    { content: text, reasoning_content: "so" },
    { content: text, refusal: null },
    { reasoning_content: text },
  ];
  const texts = [" a", "b c", "é", "😀", '"', "\\n", "\n", "", "[DONE]", "stop"];
  const frames = Array.from({ length: 5_000 }, () =>
    JSON.stringify({ id: "c", choices: [{ index: 0, delta: pick(deltas(pick(texts))), finish_reason: null }], ...pick(more) }),
  );
  expect(told(frames)).toEqual(told(frames, true));
});
