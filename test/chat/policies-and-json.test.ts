/** Content policies where a text is JSON, or quotes some: on its way to a model, to the caller and into the log. */

import { expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { completion } from "../support/vendor-answers.ts";
import { ask, chatWithTwo } from "./chat-with-two.ts";

const { gateway, openai, anthropic, chat, logOf } = await chatWithTwo();

const ADDRESS = "ann@example.com";
/** As `json.dumps` and others write what is no letter or digit of English. */
const ESCAPED = "ann\\u0040example.com";

const keyUnder = async (config: object): Promise<TestKey> => {
  const key = await gateway.key({ project: crypto.randomUUID(), mode: "live" });
  await gateway.policy(key, "content", config);
  return key;
};

const emails = (action: "warn" | "redact") => ({ pii_detection: { types: ["email"], action } });

test("an escape hides nothing in a prompt, in the result of a tool, or in JSON that a prompt quotes", async () => {
  const key = await keyUnder({ evaluate_input: true, ...emails("redact") });
  const call = { id: "call_1", type: "function", function: { name: "find", arguments: "{}" } };
  const messages = [
    { role: "user", content: `Who is {"mail": "${ESCAPED}"}, and what does he want?` },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: `{"mail":"${ESCAPED}","name":"M\\u00fcller"}` },
  ];
  const tools = [{ type: "function", function: { name: "find", parameters: { type: "object" } } }];
  const { body } = await chat(key, { messages, tools, model: "gpt-4.1" });
  expect(body.svc.content_evaluation.pii_count).toBe(2);
  expect(openai.seen[0]!.body.messages.map(({ content }: any) => content)).toEqual([
    'Who is {"mail": "[REDACTED]"}, and what does he want?',
    null,
    '{"mail":"[REDACTED]","name":"M\\u00fcller"}',
  ]);
});

test("a judge is not shown what the policies keep from models, whatever stands before it on its line", async () => {
  const ssn = { pii_detection: { types: ["ssn"], action: "redact" } };
  const key = await keyUnder({ evaluate_input: true, evaluate_output: true, criteria: ["It is polite."], ...ssn });
  openai.answer(completion("Her number:\n219-09-9999\nGood day."));
  await chat(key, ask("What is her number?", { model: "gpt-4.1" }));
  const asked = openai.seen.map(({ body }) => JSON.stringify(body));
  expect(asked.some((body) => body.includes("Good day"))).toBe(true);
  expect(asked.some((body) => body.includes("219-09-9999"))).toBe(false);
});

test("redact_logs finds what JSON escapes, in the prompt, the answer and a call's arguments", async () => {
  const key = await keyUnder({ redact_logs: true, ...emails("warn") });
  openai.answer(completion(`{"mail":"${ESCAPED}","id":1}`));
  const { body } = await chat(key, ask(`{"mail":"${ESCAPED}"}`, { model: "gpt-4.1", schema: { type: "object" } }));
  expect(JSON.parse(body.choices[0].message.content).mail).toBe(ADDRESS);
  const logged = await logOf(key, body.svc.request_id);
  expect([logged.prompt.text, logged.output.text]).toEqual(['{"mail":"[REDACTED]"}', '{"mail":"[REDACTED]","id":1}']);
  expect(logged.output.parsed_json).toEqual({ mail: "[REDACTED]", id: 1 });
  expect(JSON.stringify(logged)).not.toContain("example.com");
});

test("what a model is shown of its own answer, to mend it, passes the policies of prompts", async () => {
  const key = await keyUnder({ evaluate_input: true, ...emails("redact") });
  openai.answer(completion(`{"mail":"${ESCAPED}"}`), completion('{"mail":"none","id":1}'));
  await chat(key, ask("Extract.", { model: "gpt-4.1", schema: { type: "object", required: ["mail", "id"] } }));
  expect(openai.seen[1]!.body.messages.at(-2)).toMatchObject({ role: "assistant", content: '{"mail":"[REDACTED]"}' });
});

test("JSON that stands in a string of JSON hides nothing either, nor does the way in which a judge is shown it", async () => {
  const key = await keyUnder({ evaluate_input: true, criteria: ["It is polite."], ...emails("redact") });
  const inner = JSON.stringify({ id: 1, body: `{"mail":"${ESCAPED}"}` });
  openai.answer(completion(`{"mail":"${ESCAPED}"}`));
  const { body } = await chat(key, ask(inner, { model: "gpt-4.1" }));
  expect(body.choices[0].message.content).toBe('{"mail":"[REDACTED]"}');
  const asked = openai.seen.map(({ body: { messages } }) => messages.at(-1).content as string);
  expect(asked).toContain(JSON.stringify({ id: 1, body: '{"mail":"[REDACTED]"}' }));
  expect(asked.filter((content) => content.includes("example.com"))).toEqual([]);
});

test("the log's JSON is what the caller got: without what a policy took out", async () => {
  const key = await keyUnder(emails("redact"));
  openai.answer(completion(`{"mail":"${ADDRESS}"}`));
  const { body } = await chat(key, ask("Extract.", { model: "gpt-4.1", schema: { type: "object", required: ["mail"] } }));
  expect(body.svc.schema_validation).toEqual({ enabled: true, passed: true });
  const { output } = await logOf(key, body.svc.request_id);
  expect([output.text, output.parsed_json]).toEqual(['{"mail":"[REDACTED]"}', { mail: "[REDACTED]" }]);
});

test("an answer that no longer fits its schema once a policy is through with it does not pass, and strictly is none", async () => {
  const key = await keyUnder(emails("redact"));
  const schema = { type: "object", properties: { mail: { type: "string", pattern: "@" } } };
  openai.answer(completion(`\`\`\`json\n{"mail":"${ADDRESS}"}\n\`\`\``), completion(`{"mail":"${ADDRESS}"}`));
  const told = await chat(key, ask("Extract.", { model: "gpt-4.1", schema }));
  expect([told.status, told.body.svc.schema_validation]).toEqual([200, { enabled: true, passed: false }]);
  const strict = await chat(key, ask("Extract.", { model: "gpt-4.1", schema, schema_strict: true }));
  expect([strict.status, strict.body.error.type]).toEqual([422, "schema_validation_failed"]);
  expect(strict.body.error.errors[0].path).toContain("mail");
});

test.each([
  ["an additional property", { additionalProperties: false }, { [ADDRESS]: 1 }, 'properties "[REDACTED]"'],
  ["the place of a value", { additionalProperties: { type: "object" } }, { [ADDRESS]: 1 }, "/[REDACTED]"],
  ["a name", { propertyNames: { pattern: "^[a-z]+$" } }, { [ADDRESS]: 1 }, 'named "[REDACTED]"'],
  ["a name of nine digits", { additionalProperties: false }, { 301557623: 1 }, 'properties "[REDACTED]"'],
])("errors that quote %s tell neither the caller nor a model what policies keep from them", async (_, rule, given, told) => {
  const secret = Object.keys(given)[0]!;
  const types = { types: ["email", "ssn_no_dash"] };
  const key = await keyUnder({
    evaluate_input: true,
    criteria: ["It is polite."],
    pii_detection: { ...types, action: "redact" },
  });
  openai.answer(completion(JSON.stringify(given)));
  const asked = ask("Extract.", { model: "gpt-4.1", schema: { type: "object", ...rule }, schema_strict: true });
  const { status, headers, body } = await chat(key, asked);
  expect([status, body.error.type]).toEqual([422, "schema_validation_failed"]);
  expect(JSON.stringify(body)).toContain(JSON.stringify(told).slice(1, -1));
  expect(JSON.stringify([body, ...openai.seen.map((request) => request.body)])).not.toContain(secret);
  expect(openai.seen[1]!.body.messages.at(-1).content).toContain(told);
  // An answer that nobody gets needs no judge.
  expect(openai.seen.length).toBe(2);
  const { policies, output } = await logOf(key, headers.get("x-svc-request-id")!);
  expect([policies.content_evaluation.result, output.text]).toEqual(["redact", JSON.stringify({ "[REDACTED]": 1 })]);
  const strict = await keyUnder({ pii_detection: { ...types, action: "block" } });
  expect((await chat(strict, asked)).body.error.code).toBe("CONTENT_BLOCKED");
});

test("a refusal that a judge objects to leaves by no other member than the text, whole and streamed", async () => {
  const key = await keyUnder({ criteria: ["It is polite."], on_violation: "soft_block" });
  const refusal = "I'm sorry, but I can't help with that request.";
  const verdict = completion('{"verdicts":[{"criterion":1,"passed":false}]}');
  openai.answer((request) =>
    (JSON.stringify(request.body).includes("You check a text") ? verdict : completion(refusal))(request),
  );
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const asked = ask("Extract the name.", { model: "gpt-4.1", schema });
  const { body } = await chat(key, asked);
  expect(body.choices[0].message).toMatchObject({ content: "[REDACTED]", refusal: "[REDACTED]" });
  const streamed = await (await gateway.send(key, "POST", "/v1/chat/completions", { ...asked, stream: true })).text();
  expect(streamed).toContain('"refusal":"[REDACTED]"');
  expect(streamed).not.toContain("sorry");
});

test("parts of a prompt in which nothing is redacted stay apart, with the marks for the cache between them", async () => {
  const key = await keyUnder({ evaluate_input: true, ...emails("redact") });
  const marked = { type: "text", text: "A long manual.", cache_control: { type: "ephemeral" } };
  const sent = async (question: string) => {
    const content = [marked, { type: "text", text: question }];
    const body = { model: "claude-sonnet-4-5", max_tokens: 99, messages: [{ role: "user", content }] };
    await gateway.send(key, "POST", "/v1/messages", body);
    return anthropic.seen.at(-1)!.body.messages[0].content;
  };
  expect(await sent("What is it about?")).toEqual([marked, { type: "text", text: "What is it about?" }]);
  expect(await sent(`Who is ${ADDRESS}?`)).toMatchObject([{ type: "text", text: "A long manual.\nWho is [REDACTED]?" }]);
});
