/** Schemas and JSON: repaired, asked for again, refused, or left for the answer after a tool. */

import { expect, test } from "bun:test";
import { completion } from "../support/vendor-answers.ts";
import { ask, chatWithTwo } from "./chat-with-two.ts";

const { openai, live, sandbox, chat, logOf } = await chatWithTwo();

test("a schema is enforced: repaired, retried with the errors, refused when strict", async () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name", "age"],
    additionalProperties: false,
  };
  const fine = await chat(sandbox, ask("Ada is 36 years old. Extract her name and age.", { schema }));
  expect(fine.body.svc.schema_validation).toMatchObject({ enabled: true, passed: true });
  expect(Object.keys(JSON.parse(fine.body.choices[0].message.content)).sort()).toEqual(["age", "name"]);
  openai.answer(completion("Sure! ```json\n{'name': 'Ada', 'age': 36,}\n```"));
  const repaired = await chat(live, ask("Extract.", { schema, model: "gpt-4o" }));
  expect(JSON.parse(repaired.body.choices[0].message.content)).toEqual({ name: "Ada", age: 36 });
  expect(repaired.body.svc.schema_validation.passed).toBe(true);
  openai.answer(completion('{"name": 5}'), completion('{"name":"Ada","age":36}'));
  const mended = await chat(live, ask("Extract.", { schema, model: "gpt-4o" }));
  expect(JSON.parse(mended.body.choices[0].message.content)).toEqual({ name: "Ada", age: 36 });
  expect(JSON.stringify(openai.seen.at(-1)!.body.messages.at(-1))).toContain("age");
  openai.answer(completion('```json\n{"name":"Ada","age":36}\n```'));
  const strict = await chat(live, ask("Extract.", { schema, schema_strict: true, model: "gpt-4o" }));
  expect([strict.status, strict.body.error.type]).toEqual([422, "schema_validation_failed"]);
  expect(strict.body.error.errors[0]).toHaveProperty("message");
  const both = await chat(sandbox, ask("Extract.", { schema, schema_id: "person" }));
  expect([both.status, both.body.error.param, both.body.error.message]).toEqual([
    400,
    "schema_id",
    expect.stringContaining("exclude"),
  ]);
  const wrong = await chat(sandbox, ask("Extract.", { schema: { type: "nonsense" } }));
  expect([wrong.status, wrong.body.error.param]).toEqual([400, "schema"]);
});

test("a schema beside `json_object`, as Together and llama.cpp take it, is enforced as well", async () => {
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const format = (value: unknown) => ({ model: "gpt-4o", response_format: { type: "json_object", schema: value } });
  openai.answer(completion('{"title":"Ada"}'), completion('{"name":"Ada"}'));
  const fine = await chat(live, ask("Extract the name as JSON.", format(schema)));
  expect(fine.body.svc).toMatchObject({ schema_validation: { enabled: true, passed: true } });
  expect(fine.body.svc).not.toHaveProperty("ignored_parameters");
  expect(JSON.parse(fine.body.choices[0].message.content)).toEqual({ name: "Ada" });
  expect(openai.seen.at(-1)!.body.response_format).toMatchObject({ type: "json_schema", json_schema: { schema } });
  const wrong = await chat(live, ask("Extract.", format({ type: "nonsense" })));
  expect([wrong.status, wrong.body.error.param]).toEqual([400, "response_format.schema"]);
});

test("where no answer fits the schema, the best is the one that comes closest to it", async () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name", "age"],
  };
  const [prose, worse, closer] = ["It says nothing of the kind.", '{"name":{"first":1},"age":[]}', '{"name":"Ada"}'];
  for (const answers of [
    [prose, closer],
    [worse, closer],
    [closer, prose],
  ]) {
    openai.answer(...answers.map((text) => completion(text)));
    const { body } = await chat(live, ask("Extract.", { schema, model: "gpt-4o" }));
    expect([body.choices[0].message.content, body.svc.schema_validation.passed]).toEqual([closer, false]);
    openai.answer(...answers.map((text) => completion(text)));
    const strict = await chat(live, ask("Extract.", { schema, schema_strict: true, model: "gpt-4o" }));
    expect(strict.body.error.errors).toHaveLength(1);
    expect(strict.body.error.errors[0].message).toContain("age");
  }
});

test("what is left of an answer that was cut off fits no schema, though it could be closed", async () => {
  const schema = { type: "object", properties: { rivers: { type: "array", items: { type: "string" } } } };
  openai.answer(
    completion('{"rivers": ["Thames", "Sev', { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28 }, "length"),
  );
  const { body } = await chat(live, ask("Name rivers.", { schema, model: "gpt-4o", max_tokens: 8 }));
  expect(body.svc.schema_validation).toMatchObject({ passed: false });
});

test("a schema waits for the answer while the model calls a tool, and svc says so", async () => {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const tools = [{ type: "function", function: { name: "find_city", parameters: schema } }];
  const { body } = await chat(sandbox, ask("Where is it?", { schema, tools, tool_choice: "required" }));
  expect(body.choices[0].finish_reason).toBe("tool_calls");
  expect(body.svc.schema_validation).toEqual({ enabled: false, passed: true });
});

test("JSON in a fence is the JSON that was asked for: one attempt, and the fence stays here", async () => {
  openai.answer(completion('```json\n{"animal": "fox"}\n```'));
  const format = { response_format: { type: "json_object" }, model: "gpt-4.1" };
  const { body } = await chat(live, ask("Name an animal, as JSON.", format));
  expect(body.choices[0].message.content).toBe('{"animal": "fox"}');
  expect(body.svc.validation_passed).toBe(true);
  expect(openai.seen).toHaveLength(1);
  expect((await logOf(live, body.svc.request_id)).output).toMatchObject({ text: '{"animal": "fox"}', format_valid: true });
  // Where nobody asked for JSON the fence is part of the answer.
  const plain = await chat(live, ask("Name an animal.", { model: "gpt-4.1" }));
  expect(plain.body.choices[0].message.content).toStartWith("```json");
});
