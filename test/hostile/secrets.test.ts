/** Keys stay where they belong: whatever goes wrong, no log, answer, page, database or backup holds a provider's key or a caller's. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { type RunningProgram, runProgram, startProgram } from "../support/run-program.ts";
import { startUpstreamStub, type UpstreamStub } from "../support/upstream-stub.ts";

const OPENAI_KEY = "sk-proj-Zq81xnVtSecretOfTheFirst";
const ANTHROPIC_KEY = "sk-ant-api03-Zq82xnVtSecretOfTheSecond";
const TAVILY_KEY = "tvly-Zq83xnVtSecretOfTheThird";
const PASSWORD = "Zq84xnVt password of the operator";
const PROMPT = "Zq85xnVt prompt that nobody but the log may hold";

let upstream: UpstreamStub;
let program: RunningProgram;
let keys: { live: string; test: string };

afterAll(async () => {
  await program.end("SIGKILL");
  upstream.stop();
});
const folder = folderOfFile();
beforeAll(async () => {
  upstream = startUpstreamStub();
  program = await startProgram(selfCommand(["serve", "--port", "0", "--db", join(folder, "secrets.db")]), {
    cwd: folder,
    env: {
      LOG_LEVEL: "debug",
      SIGNALBOX_ADMIN_PASSWORD: PASSWORD,
      OPENAI_API_KEY: OPENAI_KEY,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: ANTHROPIC_KEY,
      ANTHROPIC_BASE_URL: upstream.url,
      TAVILY_API_KEY: TAVILY_KEY,
      TAVILY_BASE_URL: upstream.url,
    },
  });
  keys = { live: /pk_live_\w+/.exec(program.words)![0], test: /pk_test_\w+/.exec(program.words)![0] };
});

/** What a careless upstream says when it is given a key: the key itself, its address, everything. */
const parrot = (status: number) => {
  upstream.answer((request) => {
    const said = `Bad key ${request.headers.get("authorization") ?? request.headers.get("x-api-key")} ${request.headers.get("x-api-key")} at ${upstream.url}${request.path}`;
    return Response.json(
      { error: { message: said, type: said, code: said, param: said }, message: said, detail: said },
      { status },
    );
  });
};

const post = (key: string, path: string, body: object) =>
  fetch(`${program.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const chat = (key: string, path: string, more: object = {}) =>
  post(key, path, { messages: [{ role: "user", content: PROMPT }], max_tokens: 50, ...more });

test("answers, pages, logs, database and backup hold no key; the process log holds no prompt", async () => {
  const seen: [string, string][] = [];
  const note = async (name: string, response: Response) => {
    const headers = [...response.headers].map((pair) => pair.join(": ")).join("\n");
    seen.push([name, `${headers}\n${await response.text()}`]);
  };
  for (const status of [400, 401, 403, 404, 413, 422, 429, 500, 503, 200]) {
    parrot(status);
    for (const path of ["/v1/chat", "/v1/chat/stream", "/v1/chat/completions", "/v1/messages"]) {
      await note(`${path} ${status}`, await chat(keys.live, path, { model: path === "/v1/messages" ? "auto" : "gpt-5.6-luna" }));
    }
    for (const [path, body] of [
      ["/v1/tools/search", { query: PROMPT }],
      ["/v1/images/generations", { prompt: PROMPT }],
      ["/v1/embeddings", { model: "text-embedding-3-small", input: PROMPT }],
    ] as const)
      await note(`${path} ${status}`, await post(keys.live, path, body));
  }
  for (const wrong of [`${keys.live}x`, keys.live.toUpperCase(), "nothing"])
    await note("a wrong key", await chat(wrong, "/v1/chat"));
  const get = (path: string) => fetch(`${program.url}${path}`, { headers: { authorization: `Bearer ${keys.live}` } });
  for (const path of [
    "/v1/logs?mode=all",
    "/v1/logs/export?format=json",
    "/v1/metrics/failures",
    "/v1/metrics/providers",
    "/v1/usage",
    "/v1/models",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/dashboard",
    "/healthz",
    "/readyz",
    "/nowhere",
  ]) {
    await note(path, await get(path));
  }
  const { logs } = (await (await get("/v1/logs?mode=all&limit=100")).json()) as any;
  expect(logs.length).toBeGreaterThan(10);
  for (const { call_id } of logs) await note(`log ${call_id}`, await get(`/v1/logs/${call_id}`));

  const signedIn = await fetch(`${program.url}/dashboard/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: program.url, "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ password: PASSWORD }),
  });
  expect(signedIn.ok).toBe(true);
  await note("signing in", signedIn);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const look = (path: string) =>
    fetch(`${program.url}/dashboard/api${path}`, { headers: { cookie, origin: program.url, "sec-fetch-site": "same-origin" } });
  const { projects } = (await (await look("/projects")).json()) as any;
  for (const path of ["/session", "/projects", `/projects/${projects[0].id}/keys`, "/providers", "/models"]) {
    const response = await look(path);
    expect([path, response.status]).toEqual([path, 200]);
    await note(path, response);
  }

  const command = (...words: string[]) =>
    runProgram(selfCommand([...words, "--db", join(folder, "secrets.db")]), { cwd: folder });
  const printed = await Promise.all([
    command("keys", "list", "--json"),
    command("projects", "list"),
    command("backup", join(folder, "copy.db")),
  ]);
  for (const { stdout, stderr } of printed) seen.push(["a command", stdout + stderr]);
  await program.end("SIGTERM");
  const said = await program.output();
  seen.push(["the process log", said]);
  for (const file of ["secrets.db", "copy.db"]) seen.push([file, readFileSync(join(folder, file), "latin1")]);

  const secrets = { OPENAI_KEY, ANTHROPIC_KEY, TAVILY_KEY, PASSWORD, live: keys.live, test: keys.test };
  for (const [place, text] of seen) {
    for (const [name, secret] of Object.entries(secrets))
      expect([place, name, text.includes(secret)]).toEqual([place, name, false]);
    // Where the upstream lies is the operator's to see, in the log's detail and on the providers' page; nobody else's.
    if (!place.endsWith(".db") && !place.startsWith("log ") && !place.startsWith("/v1/logs") && place !== "/providers") {
      expect([place, text.includes(upstream.url)]).toEqual([place, false]);
    }
  }
  expect(said).not.toContain("Zq85xnVt");
  // The whole mark, for the keys printed here are drawn by lot and may hold any three letters.
  expect(program.words).not.toMatch(/Zq8\dxnVt/);
}, 90_000);
