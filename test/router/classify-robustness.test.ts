import { expect, test } from "bun:test";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { classify } from "../../src/router/classify.ts";

const encoder = await loadEncoder();
const taskOf = (messages: ChatMessage[], hasSchema = false) => classify(encoder, { messages, hasSchema }).task;
const user = (content: string): ChatMessage => ({ role: "user", content });

const CONTRACT = `1. Term. This agreement runs for twelve months. 2. Fees. The customer pays 4,800 a month.

3. Liability is limited to the fees of six months. 4. Governing law is that of Austria.`;

test.each([
  ["before", `Summarize the contract below in two sentences.\n\n${CONTRACT}`],
  ["after", `${CONTRACT}\n\nSummarize the contract above in two sentences.`],
  ["in a JSON wrapper", JSON.stringify({ instruction: "Summarize the contract in two sentences.", input: CONTRACT })],
])("the instruction decides when it stands %s the document", (_place, prompt) => {
  expect(taskOf([user(prompt)])).toBe("summarization");
});

test("a pasted request is a document: the outer instruction decides", () => {
  const mail = "Hi, could you write a Python function that sorts a list and draw a picture of a fox? Thanks, Tom";
  const found = classify(encoder, {
    messages: [user(`Classify this mail as complaint, question or request.\n\n${mail}`)],
    hasSchema: false,
  });
  expect(found).toMatchObject({ task: "classification", media: "none" });
});

test("a bare document is asked about by the system prompt", () => {
  const system: ChatMessage = {
    role: "system",
    content: "You are a ticket classifier. Output exactly one of: billing, technical, other.",
  };
  expect(taskOf([system, user("My card was charged twice for the same booking.")])).toBe("classification");
});

test("a bare document is asked about by the turn before", () => {
  const turns: ChatMessage[] = [
    user("Translate what I send next into French."),
    { role: "assistant", content: "Sure, please paste it." },
  ];
  expect(taskOf([...turns, user("Dear customer, we close early on Friday.")])).toBe("writing");
});

test("case and spacing change nothing", () => {
  const prompt = "Extract all names and dates from the text below.\n\nPaid by Ms Lund on 3 May, checked by Mr Okafor on 5 May.";
  for (const same of [prompt.toLowerCase(), prompt.toUpperCase(), prompt.replaceAll(" ", "  "), `\n\n ${prompt} \n`]) {
    expect(taskOf([user(same)])).toBe("extraction");
  }
});

test("an answer schema leans towards extraction where the words do not say", () => {
  const chance = (hasSchema: boolean) =>
    Number(classify(encoder, { messages: [user("Invoice 12, 30 EUR, due 3 May")], hasSchema }).evidence["extraction"] ?? 0);
  expect(chance(true)).toBeGreaterThan(chance(false));
});

test("the same request gives the same figures, whatever was classified in between", () => {
  const input = { messages: [user("Draft a polite reminder for invoice 4471.")], hasSchema: false };
  const first = classify(encoder, input);
  taskOf([user(CONTRACT)]);
  expect(classify(encoder, input)).toEqual(first);
});

test.each([
  ["summarization", "Summarise this report: The quarry closed in 1974. The pit has filled with rain since.", "half as long"],
  ["writing", "Write a note for the neighbours about our garden party.", "and in Swedish?"],
  ["code", "Write a function that reads a CSV file and sums a column, in Python.", "same in Ruby"],
  ["extraction", "Who wrote the letter? 'Yours, Agnes Holt, Whitby, 4 June'", "and when?"],
  ["classification", "Is this comment friendly or hostile? 'Go home.'", "'You did a fine job there'"],
  ["reasoning", "Draw a windmill by a canal.", "Thanks. What is the capital of Bolivia?"],
] as const)("what follows an answer is %s, as what it follows, unless it says otherwise: %s … %s", (task, first, then) => {
  const turns: ChatMessage[] = [user(first), { role: "assistant", content: "Here you are." }, user(then)];
  expect(taskOf(turns)).toBe(task);
});
