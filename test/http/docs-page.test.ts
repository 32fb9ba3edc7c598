import { expect, test } from "bun:test";
import { docsPage } from "../../src/http/openapi/docs-page.ts";
import { fieldsOf } from "../../src/http/openapi/schema-fields.ts";
import { startGateway } from "../support/gateway.ts";

const nullable = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

test("a field's meaning and bounds are told where null is allowed beside it, too", () => {
  const schema = { properties: { weight: nullable({ type: "number", minimum: 0, maximum: 1, description: "0 = best" }) } };
  expect(fieldsOf(schema)).toEqual([
    { name: "weight", type: "number | null", required: false, meaning: "0 = best; from 0; to 1" },
  ]);
});

test("nested fields are told by their path, and kinds of one object together", () => {
  const kind = (role: string, rest: object, required: string[]) => ({
    type: "object",
    required,
    properties: { role: { const: role }, ...rest },
  });
  const schema = {
    required: ["messages"],
    properties: {
      messages: {
        type: "array",
        items: {
          anyOf: [kind("user", { name: { type: "string" } }, ["role"]), kind("tool", { id: { type: "string" } }, ["role", "id"])],
        },
      },
      format: nullable(kind("text", {}, ["role"])),
    },
  };
  const lines = fieldsOf(schema).map(({ name, type, required }) => `${name}: ${type}${required ? "!" : ""}`);
  expect(lines).toEqual([
    "messages: object[]!",
    'messages[].role: "user" | "tool"!',
    "messages[].name: string",
    "messages[].id: string",
    "format: object | null",
    'format.role: "text"!',
  ]);
});

test("the page tells every operation, its refusals with their reasons, and holds no markup of a description", async () => {
  await using gateway = await startGateway();
  const page = await (await fetch(`${gateway.url}/docs`)).text();
  const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as any;
  for (const path of Object.keys(paths)) expect(page).toContain(`<code>${path}</code>`);
  expect(page).toContain("<code>401</code> Missing, invalid, expired or revoked API key");
  expect(page).toContain("<code>logs[].call_id</code>");
  expect(page).toContain("<code>X-Svc-Model-Used</code>");
  expect(page).toContain(`curl ${gateway.url}/v1/chat`);
  expect(page).toContain('href="/openapi.json"');
  expect(page).not.toMatch(/<script|src=|href="http/);
  const hostile = '<img src=x> in `<code>` & "quotes"';
  const operation = { tags: ["logs"], summary: hostile, description: hostile, parameters: [], responses: {} };
  const about = { info: { version: "1" }, servers: [{ url: "/" }], tags: [], components: { responses: {} } };
  const document = { ...about, paths: { "/x": { get: operation } } };
  const text = await docsPage(document)("http://127.0.0.1:8484").text();
  expect(text).not.toContain("<img");
  expect(text).toContain("<code>&lt;code&gt;</code> &amp; &quot;quotes&quot;");
});
