/** Every route against what callers get wrong: always a documented status, the envelope and a request id, never a 5xx (decisions §4). */

import { expect, test } from "bun:test";
import { faultsOf } from "../support/contract/check-answer.ts";
import { generateRequest, type Operation, operationsOf, pathOf } from "../support/contract/operations.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { randomFrom } from "../support/random.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
const operations = operationsOf(await (await gateway.send(null, "GET", "/openapi.json")).json());

/** Asks, and returns the status; what breaks the contract is thrown. */
const ask = async (
  operation: Operation,
  {
    path = pathOf(operation, "unknown"),
    as = key.text as string | null,
    ...init
  }: RequestInit & { path?: string; as?: string | null } = {},
): Promise<number> => {
  const headers = { ...(as !== null && { authorization: `Bearer ${as}` }), ...(init.headers as Record<string, string>) };
  const response = await fetch(`${gateway.url}${path}`, { method: operation.method, redirect: "manual", ...init, headers });
  const { status } = response;
  expect(await faultsOf(operation, response)).toEqual([]);
  return status;
};

const json = (text: string) => ({ body: text, headers: { "content-type": "application/json" } });
const keyed = () => operations.filter((operation) => operation.keyed);
const withBody = () => operations.filter((operation) => operation.json !== undefined);
const name = ({ method, path }: Operation) => `${method} ${path}`;

test("without a key, with a wrong one, and with one in the wrong place: 401 before anything is read", async () => {
  for (const operation of keyed()) {
    const body = operation.json === undefined ? {} : json("{ this is no JSON");
    for (const as of [null, "pk_live_nobody", `${key.text}x`, "", "Ünïcödé".normalize("NFD").replace(/[^\x20-\x7e]/g, "")])
      expect([name(operation), await ask(operation, { as, ...body })]).toEqual([name(operation), 401]);
    const inQuery = `${pathOf(operation, "unknown")}?api_key=${key.text}&key=${key.text}`;
    expect([name(operation), await ask(operation, { as: null, path: inQuery, ...body })]).toEqual([name(operation), 401]);
  }
});

test("a body that is no JSON, no object, too deep or too large", async () => {
  const deep = `{"messages":${"[".repeat(200)}${"]".repeat(200)}}`;
  const huge = `{"filler":"${"x".repeat(30_000_000)}"}`;
  for (const operation of withBody()) {
    for (const text of ["", "{", "null", "[1]", '"text"', "5", '{"a":"\\ud8"}', deep])
      expect([name(operation), text.slice(0, 20), await ask(operation, json(text))]).toEqual([
        name(operation),
        text.slice(0, 20),
        400,
      ]);
    // A document's size is spec.md's 400; every other body's is 413.
    const tooLarge = operation.path === "/v1/documents" ? 400 : 413;
    expect([name(operation), await ask(operation, json(huge))]).toEqual([name(operation), tooLarge]);
  }
});

test("a body of the wrong type: 415", async () => {
  for (const operation of withBody()) {
    const status = await ask(operation, { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect([name(operation), status]).toEqual([name(operation), 415]);
  }
});

test("a compressed body is read as what is in it, and refused with 415 if nobody knows how", async () => {
  for (const operation of withBody().filter(({ multipart }) => multipart === undefined)) {
    const packed = (encoding: string) => ({
      body: Bun.gzipSync("{"),
      headers: { "content-type": "application/json", "content-encoding": encoding },
    });
    expect([name(operation), await ask(operation, packed("gzip"))]).toEqual([name(operation), 400]);
    expect([name(operation), await ask(operation, packed("compress"))]).toEqual([name(operation), 415]);
  }
});

test("each field with each wrong type is refused or taken, and never breaks anything", async () => {
  const strangers = [null, true, -1, 1.5, "text", [], {}, [[{}]], "x".repeat(50_000)];
  for (const operation of withBody()) {
    const sample = generateRequest({ ...operation, multipart: undefined } as never, randomFrom(7), 0);
    const base = JSON.parse(String(sample.init.body));
    for (const field of Object.keys(operation.json!["properties"] ?? {}))
      for (const value of strangers) await ask(operation, json(JSON.stringify({ ...base, [field]: value })));
  }
});

test("each query parameter with wrong values is refused with its name, or ignored", async () => {
  const values = ["x", "-1", "", "1e9", "null", "2026-13-45", "%00", "%ff", "a&a=b", "x".repeat(5_000)];
  for (const operation of operations) {
    // An export starts a thread each time, and reads its query as the list does.
    const few = operation.path === "/v1/logs/export" ? values.slice(0, 2) : values;
    for (const { name: parameter } of operation.query)
      for (const value of few) await ask(operation, { path: `${pathOf(operation, "unknown")}?${parameter}=${value}` });
  }
});

test("an unknown id: 404, or 400 where the body comes first", async () => {
  for (const operation of keyed().filter(({ pathNames }) => pathNames.length > 0)) {
    const status = await ask(operation, operation.json === undefined ? {} : json("{}"));
    const allowed = /user_id/.test(operation.path) ? [200] : operation.json === undefined ? [404] : [400, 404];
    expect([name(operation), allowed.includes(status)]).toEqual([name(operation), true]);
  }
});

test.each(["/v1/responses", "/v1/documents/query"])(
  "a WebSocket asked for at %s: 426, also where a pattern beside it takes GET",
  async (path) => {
    const response = await gateway.send(key, "GET", path, undefined, { upgrade: "websocket", connection: "upgrade" });
    expect([response.status, response.headers.get("allow")]).toEqual([426, "POST"]);
  },
);

test("a wrong method: 405 with the methods that are there; an unknown path: 404", async () => {
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations) methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const operation of operations) {
    // A fixed path comes before a pattern that it fits: `GET /v1/documents/query` asks for no document.
    const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
      (each) => !methods.get(operation.path)!.includes(each),
    );
    for (const method of others) {
      const response = await gateway.send(key, method, pathOf(operation, "unknown"));
      expect([name(operation), method, response.status]).toEqual([name(operation), method, 405]);
      expect(response.headers.get("allow")).toContain(methods.get(operation.path)![0]!);
      expect(((await response.json()) as any).error).toMatchObject({ message: expect.any(String) });
    }
  }
  for (const path of ["/v1/nothing", "/v2/chat", "/v1", "/v1/chat/", "/%2e%2e/etc/passwd", "/v1/chat%00", "/wp-login.php"]) {
    const response = await gateway.send(key, "GET", path);
    expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
    expect(((await response.json()) as any).error.type).toBeString();
    expect(response.headers.get("x-svc-request-id")).toBeString();
  }
});

test("a few hundred requests made by chance from the document", async () => {
  const random = randomFrom(20_261_120);
  const faults: string[] = [];
  for (let sent = 0; sent < 400; sent++) {
    const operation = random.pick(operations);
    const { path, init } = generateRequest(operation, random, random.pick([0, 0.05, 0.3]));
    const headers = { authorization: `Bearer ${key.text}`, ...(init.headers as Record<string, string>) };
    faults.push(...(await faultsOf(operation, await fetch(`${gateway.url}${path}`, { ...init, headers }))));
  }
  expect(faults).toEqual([]);
});
