/** A running server and the commands beside it, as processes: keys, tiers, backups, signals (decisions §1). */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHangupIgnored } from "../../src/cli/stop-signal.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { type RunningProgram, runProgram, startProgram } from "../support/run-program.ts";
import { heldStreams, startUpstreamStub, stream } from "../support/upstream-stub.ts";

setDefaultTimeout(60_000);

const cwd = mkdtempSync(join(tmpdir(), "signalbox-serve-"));
let server: RunningProgram;
/** Printed by the first start. */
let liveKey: string;
const upstream = startUpstreamStub();

const serve = (env: Record<string, string> = {}) => startProgram(selfCommand(["serve", "--port", "0"]), { cwd, env });
const withProvider = { OPENAI_API_KEY: "sk-serve", OPENAI_BASE_URL: `${upstream.url}/v1` };
const run = (words: string) => runProgram(selfCommand(words.split(" ")), { cwd });
const json = async (words: string) => JSON.parse((await run(`${words} --json`)).stdout);
const ask = (key: string, content: string, path = "/v1/chat") =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content }] }),
  });

const WORDS = 'data: {"choices":[{"index":0,"delta":{"content":"Railways "}}]}\n\n';

/** Asks again until the server sees the change; what never comes ends by the test's own time limit. */
const until = async (changed: () => Promise<boolean>): Promise<void> => {
  while (!(await changed())) await Bun.sleep(10);
};

const isDraining = async () => (await fetch(`${server.url}/readyz`)).status === 503;

beforeAll(async () => {
  server = await serve();
  liveKey = /pk_live_\w+/.exec(server.words)![0];
});
afterAll(async () => {
  await server.end("SIGKILL");
  upstream.stop();
  rmSync(cwd, { recursive: true, force: true });
});

test("the curl line of the first start works as pasted", async () => {
  const line = server.words.split("\n").find((each) => each.trim().startsWith("curl "))!;
  const { stdout } = await runProgram(["/bin/sh", "-c", `${line} -s`], { cwd, env: { PATH: process.env["PATH"]! } });
  expect(JSON.parse(stdout).choices[0].message.content).toBeString();
});

test("listening on every address, the first start names one that can be asked, and the dashboard by its public address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-everywhere-"));
  const env = {
    HOST: "0.0.0.0",
    SIGNALBOX_ADMIN_PASSWORD: "for every address",
    SIGNALBOX_PUBLIC_URL: "https://signalbox.example/",
  };
  const everywhere = await startProgram(selfCommand(["serve", "--port", "0"]), { cwd: folder, env });
  try {
    expect(everywhere.words).toMatch(/listens on http:\/\/127\.0\.0\.1:\d+ and all other addresses/);
    expect(everywhere.words).toContain(`curl ${everywhere.url}/v1/chat`);
    expect(everywhere.words).toContain("Dashboard: https://signalbox.example/dashboard");
  } finally {
    await everywhere.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a key made beside the running server is honoured, and a revoked one refused", async () => {
  const { id, key } = await json("keys create --project beside --test");
  expect((await ask(key, "Hello")).status).toBe(200);
  expect(await json(`keys revoke ${id}`)).toEqual({ id, revoked: true, deleted: true });
  await until(async () => (await ask(key, "Hello")).status === 401);
});

test("a tier that was changed beside the running server holds", async () => {
  const { key } = await json("keys create --project tiered --tier free --test");
  const documents = () => fetch(`${server.url}/v1/documents`, { headers: { authorization: `Bearer ${key}` } });
  expect((await documents()).status).toBe(403);
  await json("projects set-tier tiered pro");
  await until(async () => (await documents()).status === 200);
});

test("a backup is taken while it serves, and nothing is restored under it", async () => {
  await json("backup while-serving.db");
  expect(existsSync(join(cwd, "while-serving.db"))).toBe(true);
  const { code, stderr } = await run("restore while-serving.db --force");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^signalbox: data\/signalbox\.db is served by process \d+ already/)]);
});

test("a second start says nothing of keys", async () => {
  expect(await server.end("SIGTERM")).toBe(0);
  server = await serve(withProvider);
  expect(server.words).not.toMatch(/pk_(live|test)_/);
});

test("SIGTERM lets a stream finish, takes nothing new, and ends with 0", async () => {
  const { answer, letGo } = heldStreams(WORDS, 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');
  upstream.answer(answer);
  const open = await ask(liveKey, "Tell me about railways.", "/v1/chat/stream");
  const ended = server.end("SIGTERM");
  await until(isDraining);
  letGo();
  expect((await open.text()).trimEnd()).toEndWith("data: [DONE]");
  expect(await ended).toBe(0);
  server = await serve(withProvider);
});

test.skipIf(isHangupIgnored())("so does a terminal that closes, even if it says so twice", async () => {
  const { answer, letGo } = heldStreams(WORDS, 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');
  upstream.answer(answer);
  const open = await ask(liveKey, "Tell me about railways.", "/v1/chat/stream");
  const ended = server.end("SIGHUP");
  await until(isDraining);
  process.kill(server.pid, "SIGHUP");
  letGo();
  expect((await open.text()).trimEnd()).toEndWith("data: [DONE]");
  expect(await ended).toBe(0);
  server = await serve(withProvider);
});

test("a signal during the start stops the server in good order once it has started", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-early-"));
  const starting = Bun.spawn(selfCommand(["serve", "--port", "0"]), {
    cwd: folder,
    env: { OLLAMA_HOST: "127.0.0.1:1" },
    stdout: "pipe",
    stderr: "ignore",
  });
  // The folder is made before the database is opened.
  await until(async () => existsSync(join(folder, "data")));
  starting.kill("SIGTERM");
  expect(await starting.exited).toBe(0);
  expect(await new Response(starting.stdout).text()).toContain("pk_live_");
  rmSync(folder, { recursive: true, force: true });
});

test("a second signal ends it at once", async () => {
  upstream.answer(stream([WORDS], "hang"));
  const open = await ask(liveKey, "Tell me about railways.", "/v1/chat/stream");
  process.kill(server.pid, "SIGTERM");
  await until(isDraining);
  expect(await server.end("SIGTERM")).not.toBe(0);
  await open.text().catch(() => undefined);
  server = await serve();
});

test("one press of a key that a script runner passes on is one signal", async () => {
  await server.end("SIGKILL");
  server = await serve({ ...withProvider, npm_lifecycle_event: "start" });
  const { answer, letGo } = heldStreams(WORDS, 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');
  upstream.answer(answer);
  const open = await ask(liveKey, "Tell me about railways.", "/v1/chat/stream");
  // Stopped in between, so that it finds both however busy the machine is.
  for (const signal of ["SIGSTOP", "SIGTERM", "SIGINT"]) process.kill(server.pid, signal);
  const ended = server.end("SIGCONT");
  await until(isDraining);
  letGo();
  expect((await open.text()).trimEnd()).toEndWith("data: [DONE]");
  expect(await ended).toBe(0);
  server = await serve();
});

test("the settings file is read again: a provider that appears in it is used without a restart", async () => {
  await Bun.write(
    join(cwd, "signalbox.yaml"),
    "providers:\n  house:\n    base_url: http://127.0.0.1:9/v1\nmodels:\n  - id: house-large\n    provider: house\n    upstream_model: large\n",
  );
  const models = async () =>
    JSON.stringify(await (await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${liveKey}` } })).json());
  await until(async () => (await models()).includes("house-large"));
});
