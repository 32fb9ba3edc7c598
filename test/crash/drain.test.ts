/** SIGTERM with work in flight: what was begun is finished, nothing new is taken, the log is whole, and a second signal does not wait. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { type RunningProgram, startProgram } from "../support/run-program.ts";
import { startUpstreamStub, stream } from "../support/upstream-stub.ts";

const folders: string[] = [];
/** Says a few words and never ends. */
const upstream = startUpstreamStub();
upstream.answer(stream(['data: {"choices":[{"index":0,"delta":{"content":"The 8:15 "}}]}\n\n'], "hang"));
afterAll(() => {
  upstream.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const start = async (drainSeconds: number) => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-drain-"));
  folders.push(folder);
  const path = join(folder, "drain.db");
  const program = await startProgram(selfCommand(["serve", "--port", "0", "--db", path]), {
    cwd: folder,
    env: {
      SIGNALBOX_ADMIN_PASSWORD: "correct horse battery",
      SIGNALBOX_DRAIN_S: String(drainSeconds),
      OPENAI_API_KEY: "sk-drain",
      OPENAI_BASE_URL: `${upstream.url}/v1`,
    },
  });
  const [live, key] = [/pk_live_\w+/, /pk_test_\w+/].map((form) => form.exec(program.words)![0]) as [string, string];
  return { program, path, live, key };
};
const headersFor = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });
const openStream = (program: RunningProgram, key: string, text: string) =>
  fetch(`${program.url}/v1/chat/stream`, {
    method: "POST",
    headers: headersFor(key),
    body: JSON.stringify({ messages: [{ role: "user", content: text }] }),
  });
const readFirst = async (response: Response) => {
  const reader = response.body!.getReader();
  const first = await reader.read();
  return { reader, text: new TextDecoder().decode(first.value) };
};
const count = (path: string, sql: string): number => {
  const database = new Database(path, { readonly: true });
  try {
    return database.query(sql).values()[0]![0] as number;
  } finally {
    database.close();
  }
};

test("a hundred streams and twenty uploads are finished, then the program ends well and every call is in the log", async () => {
  const { program, path, key } = await start(30);
  const streams = await Promise.all(
    Array.from({ length: 100 }, () =>
      openStream(program, key, "[[sandbox:slow=400]] Which trains were late, and why? Explain at length."),
    ),
  );
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const texts = streams.map((response) => response.text());

  const { promise: ending, resolve: finish } = Promise.withResolvers<void>();
  const { promise: allBegun, resolve: tellAllBegun } = Promise.withResolvers<void>();
  let begun = 0;
  const body = new TextEncoder().encode(JSON.stringify({ filename: "report.txt", content: "The 8:15 was late. ".repeat(5_000) }));
  const uploads = Array.from({ length: 20 }, () => {
    let sent = 0;
    const halves = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (sent++ === 0) return controller.enqueue(body.subarray(0, 1_000));
        // Asked for more, so the first piece has been sent.
        if (++begun === 20) tellAllBegun();
        await ending;
        controller.enqueue(body.subarray(1_000));
        controller.close();
      },
    });
    return fetch(`${program.url}/v1/documents`, { method: "POST", headers: headersFor(key), body: halves });
  });
  await allBegun;
  // Answered only once the server has read what was sent before: the uploads are in flight.
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);

  const ended = program.end("SIGTERM");
  finish();
  const answers = await Promise.all(uploads);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  for (const text of await Promise.all(texts)) expect(text).toEndWith("data: [DONE]\n\n");
  expect(await ended).toBe(0);
  expect(count(path, "SELECT count(*) FROM calls WHERE status = 200")).toBe(100);
  expect(count(path, "SELECT count(*) FROM documents")).toBe(20);
  const added = "(SELECT coalesce(sum(calls), 0) FROM call_days) + (SELECT count(*) FROM calls_to_sum)";
  expect(count(path, "SELECT count(*) FROM calls")).toBe(count(path, `SELECT ${added}`));
}, 60_000);

test("streams that outlast the drain are told so, and what they used is in the log", async () => {
  const { program, path, live } = await start(1);
  const streams = await Promise.all(
    Array.from({ length: 10 }, async () => readFirst(await openStream(program, live, "Which trains were late?"))),
  );
  const ended = program.end("SIGTERM");
  for (const { reader, text } of streams) {
    let rest = text;
    try {
      for (let step = await reader.read(); !step.done; step = await reader.read()) rest += new TextDecoder().decode(step.value);
    } catch {
      // Cut off is as good as closed.
    }
    expect(rest).not.toContain("[DONE]");
    expect(rest).toContain('"error"');
  }
  expect(await ended).toBe(0);
  expect(count(path, "SELECT count(*) FROM calls")).toBe(10);
}, 60_000);

test("while it drains it says so, and refuses what is new", async () => {
  const { program, live } = await start(60);
  const { reader } = await readFirst(await openStream(program, live, "Which trains were late?"));
  const ended = program.end("SIGTERM");
  const readiness = async () => (await fetch(`${program.url}/readyz`, { keepalive: false })).status;
  while ((await readiness()) === 200) await Bun.sleep(5);
  expect(await readiness()).toBe(503);
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  const refused = await openStream(program, live, "And now?");
  expect([refused.status, refused.headers.get("retry-after"), (await refused.json()).error.type]).toEqual([
    503,
    "5",
    "service_unavailable",
  ]);
  await reader.cancel();
  expect(await ended).toBe(0);
}, 60_000);

test("a second signal ends the program at once", async () => {
  const { program, live } = await start(60);
  await openStream(program, live, "Which trains were late?");
  const ended = program.end("SIGTERM");
  while ((await fetch(`${program.url}/readyz`, { keepalive: false }).catch(() => undefined))?.ok) await Bun.sleep(5);
  void program.end("SIGTERM");
  expect(await ended).not.toBe(0);
}, 60_000);
