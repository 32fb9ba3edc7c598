/** OpenAI's older completions API through the official Node SDK: what LangChain's `OpenAI` class and many editors' plugins still send. */

import { expect, test } from "bun:test";
import OpenAI from "openai";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
const client = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const prompt = "[[sandbox:reply=All lines are clear.]] Say it.";

const refusalOf = async (body: object): Promise<{ status: number; error: { param: string; message: string } }> => {
  const response = await gateway.send(key, "POST", "/v1/completions", body);
  return { status: response.status, error: ((await response.json()) as any).error };
};

test("a prompt is answered as text_completion, also as a list of one", async () => {
  for (const asked of [prompt, [prompt]]) {
    const answer = await client.completions.create({ model: "auto", prompt: asked, max_tokens: 50, best_of: 1, suffix: null });
    expect(answer).toMatchObject({ object: "text_completion", choices: [{ index: 0, logprobs: null, finish_reason: "stop" }] });
    expect(answer.id).toStartWith("cmpl-");
    expect(answer.choices[0]!.text).toBe("All lines are clear.");
    expect(answer.usage!.total_tokens).toBe(answer.usage!.prompt_tokens + answer.usage!.completion_tokens);
    expect((answer as any).svc.request_id).toBe(answer._request_id);
  }
});

test("a stream gives the text in order, then why it ended, then usage where asked", async () => {
  const stream = await client.completions.create({
    model: "auto",
    prompt,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);
  expect(chunks.map(({ choices: [choice] }) => choice?.text ?? "").join("")).toBe("All lines are clear.");
  expect(chunks.flatMap(({ choices: [choice] }) => choice?.finish_reason ?? [])).toEqual(["stop"]);
  expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(["text_completion"]));
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
});

test("the call is in the log like any other, with its route's own fields left out named", async () => {
  const answer = (await client.completions.create({ model: "auto", prompt, echo: true, logprobs: 2 })) as any;
  expect(answer.svc.ignored_parameters).toEqual(["echo", "logprobs"]);
  const row = await gateway.send(key, "GET", `/v1/logs/${answer.svc.request_id}`);
  expect(await row.text()).toContain("/v1/completions");
});

test("what cannot be done is refused at its field", async () => {
  expect(await refusalOf({ model: "auto" })).toMatchObject({ status: 400, error: { param: "prompt" } });
  for (const several of [["one", "two"], [1, 2], [[1, 2]], [], ""])
    expect(await refusalOf({ model: "auto", prompt: several })).toMatchObject({
      status: 400,
      error: { param: expect.stringMatching(/^prompt(\.0)?$/) },
    });
  expect(await refusalOf({ model: "auto", prompt, suffix: "end" })).toMatchObject({ status: 400, error: { param: "suffix" } });
  expect(await refusalOf({ model: "auto", prompt, n: 2 })).toMatchObject({ status: 400, error: { param: "n" } });
  expect(await refusalOf({ model: "none-such", prompt })).toMatchObject({
    status: 404,
    error: { param: "model", code: "model_not_found" },
  });
});

test("chat's fields are checked here too; tools, which this API does not know, have no effect", async () => {
  for (const [param, value] of [
    ["schema", "text"],
    ["schema_id", 5],
    ["schema_strict", "yes"],
    ["reasoning_effort", 5],
    ["response_format", 5],
    ["max_completion_tokens", "many"],
  ] as const)
    expect(await refusalOf({ prompt, [param]: value })).toMatchObject({ status: 400, error: { param } });
  const schema = { type: "object", properties: { lines: { type: "integer" } }, required: ["lines"] };
  const fitted = (await client.completions.create({ model: "auto", prompt: "How many lines?", ...{ schema } })) as any;
  expect(JSON.parse(fitted.choices[0].text)).toEqual({ lines: expect.any(Number) });
  const tools = [{ type: "function", function: { name: "ring", parameters: { type: "object", properties: {} } } }];
  for (const asked of [
    { tools, tool_choice: "required" },
    { tools: "ring", functions: 5 },
  ]) {
    const answer = (await client.completions.create({ model: "auto", prompt, ...(asked as object) })) as any;
    expect(answer.choices[0].text).toBe("All lines are clear.");
    expect(answer.svc.ignored_parameters).toEqual(Object.keys(asked));
  }
});

test("an error of the call names the prompt", async () => {
  const prompt = "a b ".repeat(150_000);
  expect(await refusalOf({ model: "gpt-4o-mini", prompt })).toMatchObject({
    status: 400,
    error: { param: "prompt", code: "context_length_exceeded" },
  });
});
