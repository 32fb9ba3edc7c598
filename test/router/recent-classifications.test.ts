import { expect, test } from "bun:test";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { classify } from "../../src/router/classify.ts";
import { createClassifier } from "../../src/router/recent-classifications.ts";

const encoder = await loadEncoder();
const user = (content: ChatMessage["content"]): ChatMessage => ({ role: "user", content }) as ChatMessage;
const system = (content: string): ChatMessage => ({ role: "system", content });
const question = user("Which of these trains were late, and why?");
const input = { messages: [system("You answer for the railway."), question], hasSchema: false };

test("what is known is what the classifier says", () => {
  const classifyRecent = createClassifier(encoder);
  const first = classifyRecent("owner", input);
  expect(first).toEqual(classify(encoder, input));
  expect(classifyRecent("owner", structuredClone(input))).toBe(first);
});

test("an agent's question is known while the results of its tools come in", () => {
  const classifyRecent = createClassifier(encoder);
  const turn: ChatMessage[] = [
    { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "timetable", arguments: "{}" }] },
    { role: "tool", toolCallId: "call_1", content: "IC 4 left at 9:12." },
  ];
  expect(classifyRecent("owner", { ...input, messages: [...input.messages, ...turn] })).toBe(classifyRecent("owner", input));
});

test.each([
  ["another question", { ...input, messages: [system("You answer for the railway."), user("Write a poem about trains.")] }],
  ["another system prompt", { ...input, messages: [system("You label complaints."), question] }],
  ["no system prompt", { ...input, messages: [question] }],
  ["another turn before", { ...input, messages: [user("Translate what I send you."), ...input.messages] }],
  [
    "another text given earlier",
    { ...input, messages: [user(`Translate: ${"The lift is out of order. ".repeat(12)}`), user("Thanks"), ...input.messages] },
  ],
  ["a schema", { ...input, hasSchema: true }],
  [
    "a picture",
    {
      ...input,
      messages: [
        system("You answer for the railway."),
        user([
          { type: "text", text: "Which of these trains were late, and why?" },
          { type: "image", url: "data:image/png;base64,AA==" },
        ]),
      ],
    },
  ],
])("%s is read anew", (_, other) => {
  const classifyRecent = createClassifier(encoder);
  classifyRecent("owner", input);
  expect(classifyRecent("owner", other)).toEqual(classify(encoder, other));
  expect(classifyRecent("owner", other)).not.toBe(classifyRecent("owner", input));
});

test("what one owner has asked is not known to another", () => {
  const classifyRecent = createClassifier(encoder);
  expect(classifyRecent("another", input)).not.toBe(classifyRecent("owner", input));
});

test("what has not been asked for long is forgotten", () => {
  const classifyRecent = createClassifier(encoder);
  const first = classifyRecent("owner", input);
  for (let n = 0; n < 500; n++) classifyRecent("owner", { messages: [user(`Question ${n}`)], hasSchema: false });
  expect(classifyRecent("owner", input)).not.toBe(first);
});
