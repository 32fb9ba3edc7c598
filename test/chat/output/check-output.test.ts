/** What an answer is found to be (rule 3), and what that is worth: the recipe of docs/logs-and-metrics.md. */

import { expect, test } from "bun:test";
import { type CheckInput, checkOutput } from "../../../src/chat/output/check-output.ts";
import { loadEncoder } from "../../../src/encoder/encoder.ts";
import { type ChatResult, noUsage } from "../../../src/providers/provider.ts";

const encoder = await loadEncoder();
const check = (result: Partial<ChatResult>, more: Partial<CheckInput> = {}) =>
  checkOutput(encoder, {
    request: { messages: [] },
    result: {
      text: "Trains run on rails.",
      toolCalls: [],
      finishReason: "stop",
      usage: noUsage(),
      usageSource: "provider",
      ...result,
    },
    task: "writing",
    prompt: "Tell me about trains.",
    ...more,
  });

test("an answer that a filter cut off, or that is marked as refused", () => {
  expect(check({}).passed).toBe(true);
  for (const declined of [{ finishReason: "content_filter" }, { refusal: "Trains run on rails." }] as const) {
    expect(check(declined)).toMatchObject({ passed: false, failureMode: "refusal", checks: { noRefusal: false } });
  }
});

test("JSON may begin in the answer that the conversation ends with", () => {
  const messages = [
    { role: "user" as const, content: "Extract the name as JSON." },
    { role: "assistant" as const, content: '{"name":' },
  ];
  const more = { task: "extraction" as const, prompt: "Extract the name as JSON." };
  expect(check({ text: ' "Ada"}' }, { ...more, request: { messages } }).passed).toBe(true);
  expect(check({ text: '{"name": "Ada"}' }, { ...more, request: { messages } }).passed).toBe(true);
  expect(check({ text: ' "Ada"}' }, { ...more, request: { messages: messages.slice(0, 1) } }).passed).toBe(false);
});

const CUT = "Trains run on rails, carry people and goods over long distances without a stop, and are driven by";
test.each([
  ["is fine", { text: "Trains run on rails." }, {}, 1, undefined],
  [
    "is not the JSON asked for",
    { text: "Trains." },
    { request: { messages: [], outputFormat: { type: "json" } } },
    0.65,
    "format_violation",
  ],
  ["does not fit its schema", { text: "{}" }, { schemaPassed: false }, 0.65, "format_violation"],
  ["refuses", { text: "I'm sorry, but I can't help with that request." }, {}, 0.65, "refusal"],
  ["breaks off", { text: `${CUT} the` }, {}, 0.8, "incomplete"],
  ["is empty", { text: " \n" }, {}, 0, "incomplete"],
  ["opens with a disclaimer", { text: "As an AI language model, I know that trains run on rails." }, {}, 0.9, undefined],
  [
    "calls a tool, whatever stands beside it",
    { text: CUT, toolCalls: [{ id: "t", name: "f", arguments: "{}" }] },
    { schemaPassed: false },
    1,
    undefined,
  ],
  [
    "calls a tool with half an object",
    { text: "", toolCalls: [{ id: "t", name: "f", arguments: '{"a":' }] },
    {},
    0.65,
    "format_violation",
  ],
  [
    "is cut off while it calls a tool",
    { text: "", toolCalls: [{ id: "t", name: "f", arguments: '{"a":' }], finishReason: "length" },
    {},
    0.45,
    "incomplete",
  ],
  [
    "is cut off by the caller's own bound while it calls a tool",
    {
      text: "",
      toolCalls: [{ id: "t", name: "f", arguments: '{"a":' }],
      finishReason: "length",
      usage: { ...noUsage(), output: 10 },
    },
    { request: { messages: [], maxOutputTokens: 10 } },
    1,
    undefined,
  ],
] satisfies [string, Partial<ChatResult>, Partial<CheckInput>, number, string | undefined][])(
  "an answer that %s scores by the parts that hold",
  (_what, result, more, score, failureMode) => {
    expect(check(result, more)).toMatchObject({ score, passed: failureMode === undefined });
    expect(check(result, more).failureMode as string | undefined).toBe(failureMode);
  },
);

test.each([
  ["extraction", "Extract the name as JSON.", "Ada", false],
  ["extraction", "Extract the name as JSON.", '{"name":"Ada"}', true],
  ["extraction", 'List the names in the following JSON: {"name":"Ada"}', "Ada", true],
  ["extraction", "Extract the name. Do not answer in JSON.", "Ada", true],
  ["extraction", "Extract the name as JSON.", 'Here:\n```json\n{"name":"Ada"}\n```', true],
  ["extraction", "Extract the name.", "Ada", true],
  ["classification", "Which label?", '{"label": "spam"', false],
  ["classification", "Which label?", '{"label": "spam"}', true],
  ["writing", "Write about JSON.", '{"label": "spam"', true],
] as const)("%s asked with «%s» and answered «%s»: of the right form is %p", (task, prompt, text, formatValid) => {
  expect(check({ text }, { task, prompt }).checks.formatValid).toBe(formatValid);
});

test("JSON in any block of code is of the right form; a hundred thousand empty lines behind a fence are none, at once", () => {
  const asked = { task: "extraction", prompt: "Extract the name as JSON." } as const;
  const blocks = 'First:\n```python\nprint("Ada")\n```\nThen:\n```json\n{"name":"Ada"}\n```';
  expect(check({ text: blocks }, asked).checks.formatValid).toBe(true);
  expect(check({ text: `\`\`\`\n${"\n".repeat(100_000)}` }, asked).checks.formatValid).toBe(false);
});

test("JSON lines are of the right form where they were asked for", () => {
  const lines = '{"name":"Ada"}\n{"name":"Eve"}\n';
  const formOf = (text: string, prompt: string) => check({ text }, { task: "extraction", prompt }).checks.formatValid;
  for (const prompt of ["List the people as JSONL.", "Give one JSON object per line."])
    for (const text of [lines, `\`\`\`jsonl\n${lines}\`\`\``])
      expect([prompt, text, formOf(text, prompt)]).toEqual([prompt, text, true]);
  expect(formOf(lines, "List the people as JSON.")).toBe(false);
  expect(formOf('{"name":"Ada"}\n{"name":', "List the people as JSONL.")).toBe(false);
});

test("JSON is of the right form behind the label that an agent's prompt prescribes, and so is a step before it", () => {
  const prompt = "Use the format «Thought: …», «Action: …», «Action Input: …», or «Final Answer: …». Extract the name as JSON.";
  const formOf = (text: string, content = prompt) =>
    check({ text }, { task: "extraction", prompt: content, request: { messages: [{ role: "user", content }] } }).checks
      .formatValid;
  const answer = 'Thought: I know it now.\nFinal Answer: {"name": "Ada"}';
  expect([formOf(answer), formOf(answer, "Extract the name as JSON.")]).toEqual([true, false]);
  expect(formOf('**Final Answer:** {"name": "Ada"}')).toBe(true);
  expect(formOf('Action: look_up\nAction Input: {"word": "name"}')).toBe(true);
  expect(formOf("Thought: I know it now.\nFinal Answer: It is Ada.")).toBe(false);
  expect(formOf("It is Ada.")).toBe(false);
});

test("where JSON is the output format, a fence around it is not JSON", () => {
  const request = { messages: [], outputFormat: { type: "json" as const } };
  expect(check({ text: '{"a":1}' }, { request }).passed).toBe(true);
  expect(check({ text: 'Sure:\n```json\n{"a":1}\n```' }, { request }).passed).toBe(false);
});

test("a long refusal is found in other languages too", () => {
  for (const text of [
    `Przykro mi, ale nie mogę w tym pomóc. ${"Podrabianie dokumentów jest przestępstwem i szkodzi innym ludziom. ".repeat(9)}`,
    `Ik weiger zo'n brief te schrijven. ${"Iemand bedreigen is strafbaar en schaadt mensen. ".repeat(13)}`,
  ]) {
    expect(text.length).toBeGreaterThan(600);
    expect([text.slice(0, 40), check({ text }).failureMode]).toEqual([text.slice(0, 40), "refusal"]);
  }
});

test("a long answer that says sorry late is no refusal", () => {
  const story = "The train left the station on time and crossed the river. ".repeat(15);
  expect(check({ text: `${story}I'm sorry, but I can't help with that request.` }).checks.noRefusal).toBe(true);
});
