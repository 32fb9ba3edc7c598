/** The executable for this machine, made from this checkout and started where there is nothing else. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../../release/build-executable.ts";
import { thisTarget } from "../../release/targets.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { toFourDecimals } from "../../src/lib/round.ts";
import { classify } from "../../src/router/classify.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { makePdf } from "../support/make-pdf.ts";
import { type RunningProgram, runProgram, startProgram } from "../support/run-program.ts";

setDefaultTimeout(60_000);

afterAll(() => server.end("SIGKILL"));
const folder = folderOfFile();
const program = join(folder, "signalbox");
const cwd = join(folder, "empty");
let server: RunningProgram;
let live = "";
let key = "";

beforeAll(async () => {
  await buildExecutable(thisTarget(), program);
  mkdirSync(cwd);
  server = await startProgram([program, "--port", "0"], { cwd });
  live = /pk_live_\w+/.exec(server.words)![0];
  key = /pk_test_\w+/.exec(server.words)![0];
});

const send = (path: string, init: RequestInit & { as?: string } = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${init.as ?? key}`, ...init.headers } });

const post = (path: string, body: unknown) =>
  send(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });

const run = (...words: string[]) => runProgram([program, ...words], { cwd });

test("nothing but the executable is left by a build", () => {
  expect([...new Bun.Glob("*").scanSync({ cwd: folder, onlyFiles: false, dot: true })].sort()).toEqual(["empty", "signalbox"]);
});

test("a first start in an empty folder prints two keys, a curl line and the dashboard's link", () => {
  expect(server.words).toContain(`curl ${server.url}/v1/chat -H "Authorization: Bearer ${key}"`);
  expect(server.words).toMatch(/\/dashboard\/setup\?token=\S+/);
  expect(live).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
  expect(statSync(join(cwd, "data/signalbox.db")).mode & 0o777).toBe(0o600);
});

test("the test key is answered by the sandbox", async () => {
  const response = await post("/v1/chat", { messages: [{ role: "user", content: "[[sandbox:reply=The points are set.]]" }] });
  expect(response.status).toBe(200);
  expect(((await response.json()) as any).choices[0].message.content).toBe("The points are set.");
});

test("what is asked is read as it is from source: the encoder's rows come out of the assets inside", async () => {
  const messages = [
    { role: "user" as const, content: "Which of these wagons needs new brake pads, and why does it squeal in winter?" },
  ];
  const decision = (await (await post("/v1/route", { messages })).json()) as { task_type: string; complexity: number };
  const { task, complexity } = classify(await loadEncoder(), { messages, hasSchema: false });
  expect([decision.task_type, decision.complexity]).toEqual([task, toFourDecimals(complexity)]);
});

test("a live key without a provider is told which variable to set", async () => {
  const body = JSON.stringify({ messages: [{ role: "user", content: "Hello" }] });
  const response = await send("/v1/chat", { method: "POST", body, as: live, headers: { "content-type": "application/json" } });
  expect(response.status).toBe(503);
  expect(((await response.json()) as any).error.message).toContain("OPENAI_API_KEY");
});

test("speech and pictures come out of the assets inside", async () => {
  const speech = await post("/v1/audio/speech", { model: "tts-1", input: "Mind the gap.", voice: "alloy" });
  expect(speech.headers.get("content-type")).toBe("audio/mpeg");
  expect((await speech.bytes()).length).toBeGreaterThan(1_000);
  const images = await post("/v1/images/generations", { model: "image-a-3", prompt: "A signal box at dusk" });
  const { data } = (await images.json()) as { data: { url: string }[] };
  const picture = await (await fetch(data[0]!.url)).bytes();
  expect([...picture.subarray(1, 4)]).toEqual([..."PNG"].map((char) => char.charCodeAt(0)));
});

test("a PDF is read, indexed and found: the child process, the workers and sqlite-vec are inside", async () => {
  const form = new FormData();
  const pages = [
    "Pantographs collect current from the overhead line.",
    "The lever frame of the box at Hebden Bridge has 30 levers.",
  ];
  form.set("file", new File([makePdf(pages) as Uint8Array<ArrayBuffer>], "railway.pdf", { type: "application/pdf" }));
  const uploaded = await send("/v1/documents", { method: "POST", body: form });
  expect(uploaded.status).toBe(201);
  const { id } = (await uploaded.json()) as { id: string };
  await untilReady(id);
  const found = await post("/v1/documents/query", {
    query: "How many levers does the frame at Hebden Bridge have?",
  });
  const { results } = (await found.json()) as any;
  expect(JSON.stringify(results[0])).toContain("30 levers");
  expect(existsSync(join(cwd, "data/native"))).toBe(true);
});

/** Asks as a client would; the server alone decides when it is done. */
const untilReady = async (id: string): Promise<void> => {
  for (;;) {
    const document = (await (await send(`/v1/documents/${id}`)).json()) as { status: string };
    if (document.status === "ready") return;
    if (document.status !== "processing") throw new Error(JSON.stringify(document));
    await Bun.sleep(20);
  }
};

test("the dashboard's page and every file it names are inside", async () => {
  const page = await fetch(`${server.url}/dashboard`);
  expect(page.headers.get("content-type")).toStartWith("text/html");
  const files = [...(await page.text()).matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const path of files) expect((await fetch(`${server.url}${path}`)).status).toBe(200);
});

test("metrics and exports, which read in workers, answer", async () => {
  expect((await send("/v1/logs/export?format=parquet")).status).toBe(200);
  expect((await send("/v1/metrics/overview")).status).toBe(200);
});

test("commands work on the file of the running server", async () => {
  const made = await run("keys", "create", "--project", "ci", "--tier", "pro", "--test", "--json");
  expect(made.code).toBe(0);
  const { key: fresh, tier, mode } = JSON.parse(made.stdout);
  expect([tier, mode]).toEqual(["pro", "test"]);
  expect((await send("/v1/models", { as: fresh })).status).toBe(200);
  expect(JSON.parse((await run("projects", "list", "--json")).stdout).map(({ name }: any) => name)).toContain("ci");
  expect((await run("version")).stdout).toMatch(/^signalbox \d+\.\d+\.\d+\n$/);
  expect((await run("healthcheck", "--port", new URL(server.url).port)).code).toBe(0);
  expect(JSON.parse((await run("openapi")).stdout).paths).toHaveProperty("/v1/chat");
  expect(JSON.parse((await run("doctor", "--json")).stdout)).toContainEqual(
    expect.objectContaining({ check: "vector extension", detail: expect.stringMatching(/^sqlite-vec v/) }),
  );
});

test("a second server on the same file is refused in one line", async () => {
  const { code, stderr } = await run("serve", "--port", "0");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^signalbox: data\/signalbox\.db is served by process \d+ already\. .*\n$/);
});

test("a bunfig.toml in the folder of the start is not obeyed", async () => {
  const trap = join(folder, "trap");
  mkdirSync(trap);
  await Bun.write(join(trap, "bunfig.toml"), 'preload = ["./evil.js"]\n');
  await Bun.write(join(trap, "evil.js"), "process.exit(42);\n");
  expect((await runProgram([program, "version"], { cwd: trap })).code).toBe(0);
});

test("SIGTERM ends it with exit code 0, and the file is free for another", async () => {
  expect(await server.end("SIGTERM")).toBe(0);
  const next = await startProgram([program, "serve", "--port", "0"], { cwd });
  expect(await next.end("SIGTERM")).toBe(0);
});
