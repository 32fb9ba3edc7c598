/** Schemas and texts made to take for ever (safety-notes T3-T6): each is refused or answered, and the next call is served. */

import { expect, test } from "bun:test";
import { PERSONAL_DATA_TYPES } from "../../src/policies/content/personal-data-type.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();

const post = (path: string, body: unknown) => gateway.send(key, "POST", path, body);
const ask = (text: string, more: object = {}) => post("/v1/chat", { messages: [{ role: "user", content: text }], ...more });

const nested = (levels: number, wrap: (inner: any) => any): any => {
  let schema: any = { type: "string" };
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema;
};
const fanOut = (levels: number) => ({
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `n${level}`,
      level === levels - 1
        ? { type: "integer" }
        : { oneOf: [{ $ref: `#/$defs/n${level + 1}` }, { $ref: `#/$defs/n${level + 1}` }] },
    ]),
  ),
  $ref: "#/$defs/n0",
});
const object = (properties: object) => ({ type: "object", properties });

const BOMBS: Record<string, unknown> = {
  "a reference to another host": { $ref: "https://evil.example/schema.json" },
  "a reference to a file": { $ref: "file:///etc/passwd" },
  "a reference to itself": { $ref: "#" },
  "references in a circle": { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
  "a reference to nowhere": { $ref: "#/$defs/nothing" },
  "three thousand levels": nested(3_000, (inner) => ({ allOf: [inner] })),
  "a hundred levels of properties": nested(100, (inner) => object({ a: inner })),
  "twenty-four pairs of oneOf": fanOut(24),
  "too many nodes": object(Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`p${index}`, { type: "string" }]))),
  "a huge enum": { enum: Array.from({ length: 50_000 }, (_, index) => `value ${index}`) },
  "no schema at all": [1, 2, 3],
  "an unknown type": { type: "strange" },
  "a look-behind": object({ a: { type: "string", pattern: "(?<=a)b" } }),
  "a back-reference": object({ a: { type: "string", pattern: "(a+)\\1" } }),
};

test("schema bombs are refused at once with their place, saved or inline", async () => {
  for (const [name, schema] of Object.entries(BOMBS)) {
    for (const response of [await post("/v1/schemas", { name: "bomb", schema }), await ask("Give me data.", { schema })]) {
      const body = (await response.json()) as any;
      expect([name, response.status, body.error?.type]).toEqual([name, 400, "invalid_request"]);
      // What is nested deeper than any body may be is refused before it counts as a schema.
      expect([name, body.error.param ?? body.error.message]).toEqual([name, expect.stringMatching(/^schema|nested deeper/)]);
    }
  }
});

test("hostile patterns are matched in linear time", async () => {
  for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){20}", "^(([a-z])+.)+[A-Z]([a-z])+$", "a*a*a*a*a*b"]) {
    const schema = { ...object({ a: { type: "string", pattern } }), required: ["a"] };
    const reply = JSON.stringify({ a: `${"a".repeat(20_000)}!` });
    const response = await ask(`[[sandbox:reply=${reply}:always]]`, { schema });
    expect([pattern, response.status]).toEqual([pattern, 200]);
    const { svc } = (await response.json()) as any;
    // What a backtracking engine gives up on is not a match; what it would find is one.
    expect([pattern, svc.schema_validation.passed]).toEqual([pattern, pattern === "(.*a){20}"]);
  }
}, 30_000);

test("names from Object's own are data, and change nothing of the program", async () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"object"},"toString":{"type":"string"}}}',
  );
  expect((await ask("Give me data.", { schema })).status).toBe(200);
  const polluted = JSON.parse(
    '{"messages":[{"role":"user","content":"Which trains were late?","__proto__":{"polluted":1}}],"__proto__":{"polluted":1},"metadata":{"__proto__":"x","constructor":"y"}}',
  );
  const response = await gateway.send(key, "POST", "/v1/chat", new TextEncoder().encode(JSON.stringify(polluted)), {
    "content-type": "application/json",
  });
  expect(response.status).toBeLessThan(500);
  expect(({} as any).polluted).toBeUndefined();
});

test("texts made to slow a detector down pass the content policies in time", async () => {
  const created = await post("/v1/policies", {
    name: "all",
    policy_type: "content",
    config: {
      evaluate_input: true,
      pii_detection: {
        enabled: true,
        types: PERSONAL_DATA_TYPES,
        action: "redact",
      },
      blocked_terms: { enabled: true, terms: ["a".repeat(50), "(a+)+$", "secret plan"], action: "redact" },
    },
  });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as any;
  const hostile = [
    "a".repeat(400_000),
    "a@".repeat(200_000),
    "1".repeat(400_000),
    "1-".repeat(200_000),
    "1.".repeat(200_000),
    "a.b@".repeat(100_000),
    "+1 (".repeat(100_000),
    " @ a.".repeat(80_000),
  ];
  for (const text of hostile) expect((await ask(text)).status).toBeLessThan(500);
  await gateway.send(key, "DELETE", `/v1/policies/${id}`);
}, 60_000);

test("deep, huge and strange JSON gets the envelope and a 4xx", async () => {
  const raw = (text: string | Uint8Array) =>
    gateway.send(key, "POST", "/v1/chat", typeof text === "string" ? new TextEncoder().encode(text) : text, {
      "content-type": "application/json",
    });
  const message = (content: string) => `{"messages":[{"role":"user","content":${content}}]}`;
  const cases: [string, string | Uint8Array, number[]][] = [
    ["100,000 arrays", "[".repeat(100_000) + "]".repeat(100_000), [400]],
    ["100,000 objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, [400]],
    [
      "200 levels in metadata",
      `{"messages":[{"role":"user","content":"Hi"}],"metadata":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`,
      [400],
    ],
    ["half a million lists", `{"messages":[{"role":"user","content":"Hi"}],"x":[${"[],".repeat(500_000)}1]}`, [400]],
    ["as many members", `{"messages":[{"role":"user","content":"Hi"}],"x":[${'{"a":1},'.repeat(250_000)}1]}`, [400]],
    ["unclosed arrays", "[".repeat(1_000_000), [400]],
    ["a number beyond any", `{"messages":[{"role":"user","content":"Which trains?"}],"max_cost_per_call":1e999}`, [400]],
    ["NaN", `{"messages":[{"role":"user","content":"Hi"}],"temperature":NaN}`, [400]],
    ["a negative ceiling", `{"messages":[{"role":"user","content":"Hi"}],"max_cost_per_call":-1}`, [400]],
    ["a ceiling as text", `{"messages":[{"role":"user","content":"Hi"}],"max_cost_per_call":"1"}`, [400]],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), [400]],
    ["a NUL", message('"a\\u0000b which trains were late?"'), [200, 400]],
    ["half a surrogate", message('"\\ud800 which trains were late?"'), [200, 400]],
    ["a byte order mark", `\ufeff${message('"Which trains were late?"')}`, [200, 400]],
    ["names that come twice", `{"messages":[],"messages":[{"role":"user","content":"Which trains were late?"}]}`, [200]],
    [
      "a hundred thousand messages",
      `{"messages":[${Array.from({ length: 100_000 }, () => '{"role":"user","content":"a"}').join()}]}`,
      [200, 400, 413],
    ],
    ["more than the bound", message(`"${"a".repeat(21_000_000)}"`), [413]],
    ["nothing", "", [400]],
  ];
  for (const [name, text, statuses] of cases) {
    const response = await raw(text);
    expect([name, response.status]).toEqual([name, statuses.find((status) => status === response.status) ?? statuses[0]!]);
    expect(response.headers.get("x-svc-request-id")).toStartWith("call_");
    if (response.status >= 400) expect(((await response.json()) as any).error.type).toBeString();
    else await response.text();
  }
  expect((await ask("Which trains were late?")).status).toBe(200);
}, 60_000);
