/** A running server and the commands beside it, as processes: keys, tiers, backups, signals (decisions §1). */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isHangupIgnored } from "../../src/cli/stop-signal.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { type RunningProgram, runProgram, startProgram } from "../support/run-program.ts";
import { heldStreams, startUpstreamStub, stream } from "../support/upstream-stub.ts";

setDefaultTimeout(60_000);

type Served = RunningProgram & { folder: string; liveKey: string };

const upstream = startUpstreamStub();
const withProvider = { OPENAI_API_KEY: "sk-serve", OPENAI_BASE_URL: `${upstream.url}/v1` };
const all: Served[] = [];
afterAll(async () => {
  upstream.stop();
  for (const { end } of all) await end("SIGKILL");
});
const newFolder = foldersOfFile();

const start = (folder: string, env: Record<string, string> = {}) =>
  startProgram(selfCommand(["serve", "--port", "0"]), { cwd: folder, env });
/** A server in a folder of its own. */
const serve = async (env: Record<string, string> = {}): Promise<Served> => {
  const folder = newFolder();
  const program = await start(folder, env);
  const served = { ...program, folder, liveKey: /pk_live_\w+/.exec(program.words)![0] };
  all.push(served);
  return served;
};
/** Nobody stops this one: for what is asked of a server, and done beside it. */
let server: Served;
const run = (words: string) => runProgram(selfCommand(words.split(" ")), { cwd: server.folder });
const json = async (words: string) => JSON.parse((await run(`${words} --json`)).stdout);
const ask = ({ url, liveKey }: Served, content: string, { path = "/v1/chat", key = liveKey } = {}) =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content }] }),
  });
const STREAM = { path: "/v1/chat/stream" };

const WORDS = 'data: {"choices":[{"index":0,"delta":{"content":"Railways "}}]}\n\n';

/** Asks again until the server sees the change; what never comes ends by the test's own time limit. */
const until = async (changed: () => Promise<boolean>): Promise<void> => {
  while (!(await changed())) await Bun.sleep(10);
};

const draining = ({ url }: Served) => until(async () => (await fetch(`${url}/readyz`)).status === 503);

beforeAll(async () => {
  server = await serve();
});

test("the curl line of the first start works as pasted", async () => {
  const line = server.words.split("\n").find((each) => each.trim().startsWith("curl "))!;
  const { stdout } = await runProgram(["/bin/sh", "-c", `${line} -s`], {
    cwd: server.folder,
    env: { PATH: process.env["PATH"]! },
  });
  expect(JSON.parse(stdout).choices[0].message.content).toBeString();
});

test("listening on every address, the first start names one that can be asked, and the dashboard by its public address", async () => {
  const everywhere = await serve({
    HOST: "0.0.0.0",
    SIGNALBOX_ADMIN_PASSWORD: "for every address",
    SIGNALBOX_PUBLIC_URL: "https://signalbox.example/",
  });
  expect(everywhere.words).toMatch(/listens on http:\/\/127\.0\.0\.1:\d+ and all other addresses/);
  expect(everywhere.words).toContain(`curl ${everywhere.url}/v1/chat`);
  expect(everywhere.words).toContain("Dashboard: https://signalbox.example/dashboard");
});

test("a key made beside the running server is honoured, and a revoked one refused", async () => {
  const { id, key } = await json("keys create --project beside --test");
  expect((await ask(server, "Hello", { key })).status).toBe(200);
  expect(await json(`keys revoke ${id}`)).toEqual({ id, revoked: true, deleted: true });
  await until(async () => (await ask(server, "Hello", { key })).status === 401);
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
  expect(existsSync(join(server.folder, "while-serving.db"))).toBe(true);
  const { code, stderr } = await run("restore while-serving.db --force");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^signalbox: data\/signalbox\.db is served by process \d+ already/)]);
});

test("a second start says nothing of keys", async () => {
  const first = await serve();
  expect(await first.end("SIGTERM")).toBe(0);
  const second = await start(first.folder);
  expect(second.words).not.toMatch(/pk_(live|test)_/);
  await second.end("SIGKILL");
});

const REST = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
/** Asks for a stream, has `signal` sent meanwhile, and expects that the stream comes to its end, and the server then to its own. */
const endsAfterStream = async (server: Served, signal: () => Promise<number>, again = () => {}): Promise<void> => {
  const { answer, letGo } = heldStreams(WORDS, REST);
  upstream.answer(answer);
  const open = await ask(server, "Tell me about railways.", STREAM);
  const ended = signal();
  await draining(server);
  again();
  letGo();
  expect((await open.text()).trimEnd()).toEndWith("data: [DONE]");
  expect(await ended).toBe(0);
};

test("SIGTERM lets a stream finish, takes nothing new, and ends with 0", async () => {
  const stopped = await serve(withProvider);
  await endsAfterStream(stopped, () => stopped.end("SIGTERM"));
});

test.skipIf(isHangupIgnored())("so does a terminal that closes, even if it says so twice", async () => {
  const stopped = await serve(withProvider);
  await endsAfterStream(
    stopped,
    () => stopped.end("SIGHUP"),
    () => process.kill(stopped.pid, "SIGHUP"),
  );
});

test("a signal during the start stops the server in good order once it has started", async () => {
  const folder = newFolder();
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
});

test("a second signal ends it at once", async () => {
  const stopped = await serve(withProvider);
  upstream.answer(stream([WORDS], "hang"));
  const open = await ask(stopped, "Tell me about railways.", STREAM);
  process.kill(stopped.pid, "SIGTERM");
  await draining(stopped);
  expect(await stopped.end("SIGTERM")).not.toBe(0);
  await open.text().catch(() => undefined);
});

test("one press of a key that a script runner passes on is one signal", async () => {
  const stopped = await serve({ ...withProvider, npm_lifecycle_event: "start" });
  await endsAfterStream(stopped, () => {
    // Stopped in between, so that it finds both however busy the machine is.
    for (const signal of ["SIGSTOP", "SIGTERM", "SIGINT"]) process.kill(stopped.pid, signal);
    return stopped.end("SIGCONT");
  });
});

test("the settings file is read again: a provider that appears in it is used without a restart", async () => {
  await Bun.write(
    join(server.folder, "signalbox.yaml"),
    "providers:\n  house:\n    base_url: http://127.0.0.1:9/v1\nmodels:\n  - id: house-large\n    provider: house\n    upstream_model: large\n",
  );
  const models = async () =>
    JSON.stringify(
      await (await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${server.liveKey}` } })).json(),
    );
  await until(async () => (await models()).includes("house-large"));
});
