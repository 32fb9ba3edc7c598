/** What the routes answer is what the OpenAPI document says, field by field: nothing that is not described, nothing missing. */

import { expect, test } from "bun:test";
import { Compile } from "typebox/schema";
import { faultsOf } from "../support/contract/check-answer.ts";
import { operationsOf } from "../support/contract/operations.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
const document: any = await (await gateway.send(null, "GET", "/openapi.json")).json();
const operations = operationsOf(document);

/** References resolved; an object that names its fields has no others. */
const strict = (schema: any): any => {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  if (schema.$ref) return strict(document.components.schemas[schema.$ref.split("/").at(-1)]);
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  return schema.properties && schema.additionalProperties === undefined ? { ...inner, additionalProperties: false } : inner;
};

const responseOf = (method: string, path: string, status: number) => {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  return response?.$ref ? document.components.responses[response.$ref.split("/").at(-1)] : response;
};

/** Status, media type and headers are documented. Returns the answer, unread. */
const held = async (
  method: string,
  path: string,
  body?: unknown,
  { at = path.split("?")[0]!, headers = {} }: { at?: string; headers?: Record<string, string> } = {},
) => {
  const response = await gateway.send(key, method, path, body, headers);
  const operation = operations.find((each) => each.method === method && each.path === at)!;
  expect(await faultsOf(operation, response.clone() as Response)).toEqual([]);
  return response;
};

/** Asks, and holds the answer against the document; `at` is the path as the document has it. */
const ask = async (
  method: string,
  path: string,
  body?: unknown,
  { at = path.split("?")[0]!, headers = {} }: { at?: string; headers?: Record<string, string> } = {},
) => {
  const response = await held(method, path, body, { at, headers });
  const answer = (await response.json()) as any;
  const schema = responseOf(method, at, response.status)?.content?.["application/json"]?.schema;
  const [fits, errors] = schema === undefined ? [false, ["not described"]] : Compile(strict(schema)).Errors(answer);
  expect({ method, path, status: response.status, fits, errors: fits ? [] : errors, answer: fits ? {} : answer }).toEqual({
    method,
    path,
    status: response.status,
    fits: true,
    errors: [],
    answer: {},
  });
  return answer;
};

const say = (content: string, more: object = {}) => ({ messages: [{ role: "user", content }], ...more });
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const TOOL = { type: "function", function: { name: "look_up", parameters: SCHEMA } };

test("every JSON answer is described by its fields", () => {
  const bare = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item)
      .filter(([, { responses }]) =>
        Object.entries<any>(responses).some(([status, { content }]) => {
          const schema = content?.["application/json"]?.schema;
          return status.startsWith("2") && schema?.type === "object" && Object.keys(schema.properties ?? {}).length === 0;
        }),
      )
      .map(([method]) => `${method} ${path}`),
  );
  expect(bare).toEqual([]);
});

test("chat, under each API", async () => {
  await ask("POST", "/v1/chat", say("Summarize: the cat sat on the mat.", { temperature: 0.4, seed: 1, user: "u" }));
  await ask("POST", "/v1/chat", say("In which city is the Eiffel Tower?", { schema: SCHEMA, max_cost_per_call: 0.0005 }));
  await ask("POST", "/v1/chat", say("[[sandbox:truncate]] Write a story about the sea."));
  await ask("POST", "/v1/chat", say("Draw a picture of a red fox in the snow."));
  await ask("POST", "/v1/chat", say("Make a short video clip of waves."));
  await ask("POST", "/v1/chat/completions", say("Look up Paris.", { tools: [TOOL], tool_choice: "required" }));
  await ask("POST", "/v1/messages", { ...say("Hello there."), model: "auto", max_tokens: 50 });
  await ask("POST", "/v1/completions", { prompt: "Hello there." });
  await ask("POST", "/v1/responses", { input: "Hello there.", model: "auto" });
  await ask("POST", "/v1/responses/input_tokens", { input: "Hello there.", model: "auto" });
  await ask("POST", "/v1/responses/compact", { input: "Hello there.", model: "auto" });
  await ask("POST", "/v1/embeddings", { input: ["one", "two"] });
  await ask("POST", "/v1/embeddings", { input: "one", encoding_format: "base64" });
  await ask("POST", "/v1/rerank", {
    query: "a fox",
    documents: ["A red fox.", { text: "Bread.", id: 7 }],
    return_documents: true,
  });
  await ask("POST", "/v1/moderations", { input: ["You idiot!", "Good morning."] });
  await ask("POST", "/v1/moderations", { input: [{ type: "text", text: "Good morning." }] });
  await ask("POST", "/v1/rerank", { query: "a fox", documents: ["A red fox."], model: "rerank-v3.5" });
  await ask("POST", "/v1/route", say("Write a function that sorts a list."));
  await ask("POST", "/v1/route", say("Draw a picture of a red fox in the snow."));
  await ask("GET", "/v1/models");
  await ask("GET", "/v1/models", undefined, { headers: { "anthropic-version": "2023-06-01" } });
});

test("answers that are fetched and deleted after they were given", async () => {
  for (const [path, of, body] of [
    ["/v1/responses", "input_items", { input: "Hello there." }],
    ["/v1/chat/completions", "messages", say("Look up Paris.", { tools: [TOOL], tool_choice: "required", store: true })],
  ] as const) {
    const { id } = await ask("POST", path, { model: "auto", ...body });
    await ask("GET", `${path}/${id}`, undefined, { at: `${path}/{id}` });
    await ask("GET", `${path}/${id}/${of}?limit=1`, undefined, { at: `${path}/{id}/${of}` });
    await ask("DELETE", `${path}/${id}`, undefined, { at: `${path}/{id}` });
  }
});

test("the headers of streams, files, exports and repeated requests", async () => {
  await held("POST", "/v1/chat/stream", say("Hello there."));
  await held("POST", "/v1/audio/speech", { model: "tts-1", voice: "alloy", input: "Hello there." });
  for (const format of ["json", "csv", "parquet"]) await held("GET", `/v1/logs/export?format=${format}`);
  const again = { headers: { "idempotency-key": "one" } };
  const [image] = (await ask("POST", "/v1/images/generations", { prompt: "A fox" }, again)).data;
  const replayed = await held("POST", "/v1/images/generations", { prompt: "A fox" }, again);
  expect(replayed.headers.get("x-svc-idempotent-replay")).toBe("true");
  const { pathname, search } = new URL(image.url);
  const link = { at: "/v1/files/{id}" };
  const { headers } = await held("GET", pathname + search, undefined, link);
  const conditions: Record<string, string>[] = [
    { range: "bytes=0-9" },
    { range: "bytes=999999999-" },
    { "if-none-match": headers.get("etag")! },
  ];
  for (const condition of conditions) await held("GET", pathname + search, undefined, { ...link, headers: condition });
});

test("documents and memory in chat, and the policies of a project", async () => {
  const document = await ask("POST", "/v1/documents", {
    filename: "a.txt",
    content: "The signal box sets the routes of a railway.",
  });
  await gateway.platform.background.idle();
  const turn = say("What does the signal box set?", { document_id: document.id, session_id: "s" });
  await ask("POST", "/v1/chat", turn);
  await ask("GET", "/v1/memory/s", undefined, { at: "/v1/memory/{sessionId}" });
  const policies = [
    {
      name: "terms",
      policy_type: "content",
      config: { pii_detection: { enabled: true, types: ["email"] }, criteria: ["Be kind."] },
    },
    { name: "vendors", policy_type: "routing", config: { provider_block_list: ["openai"] } },
  ];
  for (const policy of policies) await ask("POST", "/v1/policies", policy);
  await ask("POST", "/v1/chat", turn);
  await ask("POST", "/v1/route", turn);
  await ask("POST", "/v1/policies", {
    name: "none",
    policy_type: "routing",
    config: { provider_allow_list: ["ollama"], on_violation: "hard_block" },
  });
  await ask("POST", "/v1/route", turn);
});

test("refusals, under each API", async () => {
  for (const path of ["/v1/chat", "/v1/chat/completions", "/v1/messages", "/v1/images/generations"])
    await ask("POST", path, {
      ...say("Hello."),
      prompt: "A fox",
      max_tokens: 5,
      model: path.includes("images") ? undefined : "auto",
    });
  for (const { id } of (await ask("GET", "/v1/policies")).policies) await gateway.send(key, "DELETE", `/v1/policies/${id}`);
  await ask("POST", "/v1/chat", say("[[sandbox:reply=no:always]]", { schema: SCHEMA, schema_strict: true }));
  await ask("POST", "/v1/chat", say("[[sandbox:error-500:always]]"));
  await ask("POST", "/v1/messages", { ...say("Hello."), model: "nobody", max_tokens: 5 });
  await ask("GET", "/v1/policies/none", undefined, { at: "/v1/policies/{id}" });
});

test("the log shows of each call what is described, and so do health and usage", async () => {
  const page = await ask("GET", "/v1/logs?limit=100");
  expect(page.logs.length).toBeGreaterThan(10);
  for (const { call_id } of page.logs) await ask("GET", `/v1/logs/${call_id}`, undefined, { at: "/v1/logs/{call_id}" });
  await ask("POST", `/v1/logs/${page.logs[0].call_id}/feedback`, { score: 1 }, { at: "/v1/logs/{call_id}/feedback" });
  await ask("GET", `/v1/logs/${page.logs[0].call_id}`, undefined, { at: "/v1/logs/{call_id}" });
  for (const group of ["model", "day", "key", "user"]) await ask("GET", `/v1/usage?group_by=${group}`);
  for (const path of ["/v1/logs/summary", "/v1/usage", "/healthz", "/readyz", "/v1/learning"]) await ask("GET", path);
  for (const name of ["overview", "customer", "performance", "failures", "providers", "daily"])
    await ask("GET", `/v1/metrics/${name}`);
  await gateway.platform.background.stop();
  await ask("GET", "/readyz");
});
