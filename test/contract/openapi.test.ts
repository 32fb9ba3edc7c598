/** The OpenAPI document is complete and sound: made from the routes, and held against them. */

import { beforeAll, expect, test } from "bun:test";
import { Compile } from "typebox/schema";
import { createApp } from "../../src/app.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const operations: { method: string; path: string; operation: any }[] = [];

const gateway = await gatewayOfFile();
const document: any = await (await gateway.send(null, "GET", "/openapi.json")).json();
beforeAll(async () => {
  for (const [path, item] of Object.entries<any>(document.paths))
    for (const [method, operation] of Object.entries<any>(item)) operations.push({ method, path, operation });
});

test("every reachable route is in it, but for the dashboard's own", () => {
  const documented = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
  const missing = createApp(gateway.platform)
    .routes()
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}")}`)
    .filter((route) => !documented.has(route) && !/ \/(?:$|dashboard)/.test(route));
  expect(missing).toEqual([]);
});

test("every reference leads somewhere", () => {
  const wrong: string[] = [];
  const walk = (node: any): void => {
    if (typeof node !== "object" || node === null) return;
    if (typeof node.$ref === "string") {
      const found = node.$ref
        .slice(2)
        .split("/")
        .reduce((at: any, part: string) => at?.[part], document);
      if (found === undefined) wrong.push(node.$ref);
    }
    for (const child of Object.values(node)) walk(child);
  };
  walk(document);
  expect(wrong).toEqual([]);
});

test("every component is used", () => {
  const text = JSON.stringify(document);
  for (const [kind, parts] of Object.entries<any>(document.components))
    if (kind !== "securitySchemes")
      for (const name of Object.keys(parts)) expect(text).toContain(`"#/components/${kind}/${name}"`);
});

test("operations have distinct ids, a summary, declared tags, and one success", () => {
  const tags = new Set(document.tags.map(({ name }: any) => name));
  for (const { name, description } of document.tags) expect([name, description === name]).toEqual([name, false]);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations) {
    expect([path, operation.summary]).toEqual([path, expect.stringMatching(/\S/)]);
    for (const tag of operation.tags) expect(tags).toContain(tag);
    const successes = Object.keys(operation.responses).filter((status) => /^2(?!06)/.test(status));
    expect([path, successes.length]).toEqual([path, 1]);
  }
});

test("path parameters are declared, required, and stand in the path", () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter(({ in: place }: any) => place === "path");
    expect(declared.map(({ name }: any) => name)).toEqual(named);
    for (const { required } of declared) expect(required).toBe(true);
  }
});

test("what asks for a key says so, and says how it refuses", () => {
  const open = operations.filter(({ operation }) => operation.security !== undefined).map(({ path }) => path);
  expect(open.sort()).toEqual([
    "/config.schema.json",
    "/docs",
    "/healthz",
    "/metrics",
    "/openapi.json",
    "/readyz",
    "/v1/files/{id}",
  ]);
  for (const { path, operation } of operations) {
    if (open.includes(path)) continue;
    expect([path, Object.keys(operation.responses)]).toEqual([path, expect.arrayContaining(["401", "403", "429", "500"])]);
  }
});

test("schemas require only what they describe", () => {
  const wrong: string[] = [];
  const walk = (node: any, at: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (node.type === "object" && Array.isArray(node.required) && node.properties)
      for (const name of node.required) if (!(name in node.properties)) wrong.push(`${at}: ${name}`);
    for (const [key, child] of Object.entries(node)) walk(child, `${at}/${key}`);
  };
  walk(document, "");
  expect(wrong).toEqual([]);
});

test("words of which one is meant are an enum, from which makers of clients make one", () => {
  const wrong: string[] = [];
  const walk = (node: any, at: string): void => {
    if (typeof node !== "object" || node === null) return;
    const words = (Array.isArray(node.anyOf) ? node.anyOf : []).filter((each: any) => typeof each.const === "string");
    if (words.length > 1) wrong.push(at);
    for (const [key, child] of Object.entries(node)) walk(child, `${at}/${key}`);
  };
  walk(document, "");
  expect(wrong).toEqual([]);
  const { properties } = document.paths["/v1/images/generations"].post.requestBody.content["application/json"].schema;
  expect(properties.style.anyOf).toEqual([{ type: "string", enum: ["vivid", "natural"], default: "vivid" }, { type: "null" }]);
});

test("null stands for a field that is left out: the document says so of each, and a body with them is read like one without", async () => {
  const key = await gateway.key();
  const wrong: string[] = [];
  const walk = (schema: any, at: string): void => {
    for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) walk(inner, at);
    for (const [name, property] of Object.entries<any>(schema.properties ?? {})) {
      if (Compile(property).Check(null) !== !schema.required?.includes(name)) wrong.push(`${at}.${name}`);
      walk(property, `${at}.${name}`);
    }
  };
  const said = async (method: string, path: string, body: object) => {
    const { error, ...rest } = (await (await gateway.send(key, method, path.replace(/\{\w+\}/g, "none"), body)).json()) as any;
    return [path, error?.type, error?.message, Object.keys(rest)];
  };
  for (const { method, path, operation } of operations) {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    if (schema === undefined) continue;
    walk(schema, path);
    const optional = Object.keys(schema.properties).filter((name) => !schema.required?.includes(name));
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));
    expect(await said(method.toUpperCase(), path, nulls)).toEqual(await said(method.toUpperCase(), path, {}));
  }
  // One kind of message may have none: an assistant's that calls tools.
  expect(wrong.filter((at) => !at.endsWith(".messages.content"))).toEqual([]);
});

test("no event of a stream is said to be a text: readers hold each against the schema", () => {
  const streams = operations.map(({ operation }) => operation.responses[200]?.content?.["text/event-stream"]).filter(Boolean);
  expect(streams.length).toBeGreaterThan(3);
  for (const stream of streams) expect(stream).toEqual({});
});

test("the page at /docs shows each operation and loads nothing from elsewhere", async () => {
  const page = await gateway.send(null, "GET", "/docs");
  expect(page.headers.get("content-type")).toStartWith("text/html");
  const html = await page.text();
  for (const { path } of operations) expect(html).toContain(path.replaceAll("&", "&amp;"));
  expect(html).not.toMatch(/(?:src|href)="https?:|@import|url\(/);
  // A browser that finds no icon asks the server for one, which the page's policy forbids, and complains of that.
  expect(html).toContain('<link rel="icon" href="data:,">');
  expect(page.headers.get("content-security-policy")).toContain("img-src data:;");
});
