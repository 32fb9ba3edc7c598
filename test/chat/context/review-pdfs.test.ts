/** PDFs in messages are read for the policies that review prompts; one in which something is redacted is sent as its text. */

import { afterAll, expect, spyOn, test } from "bun:test";
import type { TestKey } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { makePdf } from "../../support/make-pdf.ts";
import { upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { completion } from "../../support/vendor-answers.ts";

const personal = Buffer.from(makePdf(["Application of Jane Roe\nSSN: 219-09-9998", "Her dog is called Rex."]));
const harmless = Buffer.from(makePdf(["The committee met on Monday."]));
const blank = Buffer.from(makePdf([""]));
const broken = Buffer.from("%PDF-1.7 and then nothing that a reader knows");

let fetches = 0;
const files = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch() {
    fetches++;
    return new Response(personal);
  },
});
afterAll(() => files.stop(true));

const stub = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: { SIGNALBOX_ALLOWED_HOSTS: `127.0.0.1:${files.port}` },
  settings: `
providers:
  reader: { base_url: "${stub.url}/v1", key: upstream, dialect: openai }
models:
  - { id: reads, provider: reader, upstream_model: x, context_window: 200000, input_usd_per_million: 1, output_usd_per_million: 2, abilities: [pdf_input] }
`,
});
stub.answer(completion("It is an application."));

/** One key for each action, because a project's PDFs are read once. */
const keys = new Map<string, TestKey>();
const keyWith = async (action: "warn" | "redact" | "block"): Promise<TestKey> => {
  const known = keys.get(action);
  if (known !== undefined) return known;
  const key = await gateway.key({ mode: "live", project: action });
  keys.set(action, key);
  const config = { evaluate_input: true, pii_detection: { types: ["ssn"], action } };
  await gateway.policy(key, "content", config);
  return key;
};

const document = (pdf: Buffer, name = "file.pdf") => ({
  type: "document",
  document: { type: "pdf", data: pdf.toString("base64"), name },
});

const ask = async (key: TestKey, ...parts: object[]) => {
  stub.seen.length = 0;
  const messages = [{ role: "user", content: [...parts, { type: "text", text: "What is this?" }] }];
  const response = await gateway.send(key, "POST", "/v1/chat", { model: "reads", messages });
  const parted = stub.seen[0]?.body.messages[0].content;
  return { status: response.status, body: (await response.json()) as any, sent: parted };
};

test("one with personal data is blocked on every route, before any model is asked", async () => {
  const key = await keyWith("block");
  const { status, body } = await ask(key, document(harmless), document(personal));
  expect([status, body.error.code]).toEqual([403, "CONTENT_BLOCKED"]);
  expect(body.content_evaluation).toMatchObject({ result: "block", phase: "pre_request", pii_detected: true, pii_count: 1 });
  const data = personal.toString("base64");
  const source = { type: "base64", media_type: "application/pdf", data };
  const file = { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` };
  const message = (part: object) => [{ role: "user", content: [part] }];
  for (const [path, more] of [
    ["/v1/chat/stream", { messages: message(document(personal)) }],
    ["/v1/chat/completions", { messages: message({ type: "file", file }) }],
    ["/v1/messages", { max_tokens: 9, messages: message({ type: "document", source }) }],
    ["/v1/responses", { input: message({ type: "input_file", ...file }) }],
  ] as const)
    expect([path, (await gateway.send(key, "POST", path, { model: "reads", ...more })).status]).toEqual([path, 403]);
  expect(stub.seen).toEqual([]);
});

test("one in which something is redacted is sent as its text; others are sent as they are", async () => {
  const key = await keyWith("redact");
  const { status, body, sent } = await ask(key, document(personal, "Jane 219-09-9998"), document(harmless));
  expect([status, body.svc.content_evaluation.pii_count]).toEqual([200, 2]);
  expect(sent.map(({ type }: { type: string }) => type)).toEqual(["text", "file", "text"]);
  expect(sent[0].text).toBe("Jane [REDACTED]\n\nApplication of Jane Roe\nSSN: [REDACTED]\n\nHer dog is called Rex.");
  expect(sent[1].file.file_data).toEndWith(harmless.toString("base64"));
});

test("a session remembers its name, not its text", async () => {
  const key = await keyWith("redact");
  const messages = [{ role: "user", content: [document(personal, "Jane 219-09-9998"), { type: "text", text: "Who is it?" }] }];
  const asked = await gateway.send(key, "POST", "/v1/chat", { model: "reads", session_id: "s", messages });
  expect(asked.status).toBe(200);
  const session = (await (await gateway.send(key, "GET", "/v1/memory/s")).json()) as any;
  expect(session.messages[0].content).toBe("[document: Jane [REDACTED]]\nWho is it?");
});

test("one that a policy only warns about is sent as it is", async () => {
  const { status, body, sent } = await ask(await keyWith("warn"), document(personal));
  expect([status, body.svc.content_evaluation.result, sent[0].type]).toEqual([200, "warn", "file"]);
});

test("one named by its URL is fetched once, and read", async () => {
  const key = await keyWith("redact");
  const part = { type: "input_file", file_url: `http://127.0.0.1:${files.port}/a.pdf` };
  const input = [{ role: "user", content: [part, { type: "input_text", text: "What is this?" }] }];
  stub.seen.length = 0;
  expect((await gateway.send(key, "POST", "/v1/responses", { model: "reads", input })).status).toBe(200);
  expect(JSON.stringify(stub.seen[0]!.body)).toContain("SSN: [REDACTED]");
  expect(fetches).toBe(1);
});

test("one that cannot be read is refused, unless a policy would only warn; pages without text are pictures", async () => {
  const strict = await keyWith("block");
  const refused = await ask(strict, document(broken));
  expect([refused.status, refused.body.error.param, refused.sent]).toEqual([400, "messages", undefined]);
  expect((await ask(strict, document(blank))).status).toBe(200);
  const mild = await keyWith("warn");
  expect((await ask(mild, document(broken))).status).toBe(200);
  const many = Array.from({ length: 21 }, () => document(harmless));
  expect((await ask(strict, ...many)).body.error.message).toContain("more than 20");
  expect((await ask(mild, ...many)).status).toBe(200);
});

test("those of a request are reviewed up to a bound of characters, and refused beyond it unless a policy would only warn", async () => {
  const pages = [{ page: 1, text: "a".repeat(2_600_000) }];
  using _reading = spyOn(gateway.platform.documents, "readAttached").mockImplementation(async () => ({ pages }));
  const strict = await keyWith("block");
  expect((await ask(strict, document(harmless))).status).toBe(200);
  expect((await ask(strict, document(harmless), document(personal))).body.error.message).toContain("characters");
  expect((await ask(await keyWith("warn"), document(harmless), document(personal))).status).toBe(200);
});

test("the reading ends when its caller leaves, also where only the decision is asked for", async () => {
  const key = await keyWith("redact");
  const { documents } = gateway.platform;
  for (const path of ["/v1/chat", "/v1/route"]) {
    const leaving = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    using _reading = spyOn(documents, "readAttached").mockImplementationOnce(
      (_, __, signal) =>
        new Promise((___, reject) => {
          signal.addEventListener("abort", () => {
            reject(signal.reason);
            resolve();
          });
          leaving.abort();
        }),
    );
    const asked = fetch(`${gateway.url}${path}`, {
      method: "POST",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "reads", messages: [{ role: "user", content: [document(personal)] }] }),
    });
    await expect(asked).rejects.toThrow();
    await ended;
  }
});

test("those of a request are read for a minute at most; after that it is refused unless a policy would only warn", async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  using _timing = spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms === 60_000 ? 1 : ms));
  using _reading = spyOn(gateway.platform.documents, "readAttached").mockImplementation(
    (_, __, signal) => new Promise((___, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const refused = await ask(await keyWith("block"), document(personal));
  expect([refused.status, refused.body.error.type, refused.sent]).toEqual([503, "service_unavailable", undefined]);
  const warned = await ask(await keyWith("warn"), document(personal));
  expect([warned.status, warned.sent[0].type]).toEqual([200, "file"]);
});
