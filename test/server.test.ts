/** What only a socket of one's own can ask of the listening server. */

import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { openDatabase } from "../src/database/database.ts";
import { startServer } from "../src/server.ts";
import { signIn } from "./support/dashboard.ts";
import { foldersOfFile } from "./support/folder-of-file.ts";
import { startGateway } from "./support/gateway.ts";
import { gatewayOfFile } from "./support/gateway-of-file.ts";
import { heldAnswer, neverAnswers, startUpstreamStub } from "./support/upstream-stub.ts";
import { completion } from "./support/vendor-answers.ts";

const newFolder = foldersOfFile();

const gateway = await gatewayOfFile();
const key = await gateway.key();

/** Sends the head, and as much of a body as is given; resolves with the first piece of the answer. */
const ask = (head: string[], body = ""): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.once("error", reject);
    socket.once("data", (piece) => {
      resolve(String(piece));
      socket.destroy();
    });
    socket.write(`${head.join("\r\n")}\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: application/json\r\n\r\n${body}`);
  });

test("a body announced too large is refused unread, in the envelope, however large", async () => {
  for (const length of [21_000_000, 900_000_000]) {
    const answer = await ask(["POST /v1/chat HTTP/1.1", "Host: localhost", `Content-Length: ${length}`], "{");
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer).toContain('"type":"request_too_large"');
    expect(answer.toLowerCase()).toContain("x-svc-request-id: ");
  }
});

test("a server is found under a name of one letter", async () => {
  const body = JSON.stringify({ messages: [{ role: "user", content: "hi" }] });
  const answer = await ask(["POST /v1/chat HTTP/1.1", "Host: x", `Content-Length: ${body.length}`], body);
  expect(answer).toStartWith("HTTP/1.1 200");
});

test("links carry the port that was picked, also where the request names a host that is not believed", async () => {
  const answer = await gateway.send(key, "POST", "/v1/images/generations", { prompt: "a lamp" }, { host: "evil.example.com" });
  expect(((await answer.json()) as any).data[0].url).toStartWith(`${gateway.url}/v1/files/`);
});

test("the port is shared with no other program, also one that would share it", () => {
  const { port, hostname } = new URL(gateway.url);
  const listen = () => Bun.serve({ port: Number(port), hostname, reusePort: true, fetch: () => new Response() });
  expect(listen).toThrow(expect.objectContaining({ code: "EADDRINUSE" }));
});

test("a failure outside the app is told in the envelope too, with an id that its line in the log has", async () => {
  const { telemetry, log } = gateway.platform;
  spyOn(telemetry, "requestAnswered").mockImplementationOnce(() => {
    throw new Error("unexpected");
  });
  using logged = spyOn(log, "error");
  const answer = await fetch(`${gateway.url}/healthz`);
  const requestId = answer.headers.get("x-svc-request-id");
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: { type: "server_error", request_id: requestId } }]);
  expect(logged.mock.calls[0]![1]).toMatchObject({ request_id: requestId, detail: "unexpected" });
});

test("a start that fails after it listened does not go on listening", async () => {
  const folder = newFolder();
  const path = join(folder, "signalbox.db");
  const config = { ...gateway.platform.config, port: 0, databasePath: path };
  await (await openDatabase(path)).close();
  const database = new Database(path);
  database.run("DROP TABLE jobs");
  database.close();
  const { serve } = Bun;
  let url = "";
  using _listening = spyOn(Bun, "serve").mockImplementation((options) => {
    const server = serve(options);
    url = server.url.href;
    return server as never;
  });
  await expect(startServer({ ...config, port: 0 })).rejects.toThrow("no such table: jobs");
  await expect(fetch(`${url}healthz`)).rejects.toThrow("ECONNREFUSED");
});

test("a stop whose last writes the disk refuses closes the file all the same", async () => {
  const full = await startGateway();
  const { db, accounts } = full.platform;
  accounts.authenticate(new Headers({ authorization: `Bearer ${(await full.key()).text}` }));
  db.onCommit(() => {
    throw new Error("disk full");
  });
  await full.stop();
  expect(() => db.get("SELECT 1")).toThrow();
});

test("what a stop can wait no longer for is told so, of whatever kind, and stands in the log", async () => {
  const upstream = startUpstreamStub();
  const allThere = Promise.withResolvers<void>();
  upstream.answer((request) => {
    if (upstream.seen.length === 3) allThere.resolve();
    return neverAnswers(request);
  });
  const folder = newFolder();
  const environment = { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${upstream.url}/v1`, SIGNALBOX_DRAIN_S: "0" };
  const stopping = await startGateway({ environment, folder });
  const live = await stopping.key({ mode: "live" });
  const answers = [
    stopping.send(live, "POST", "/v1/chat", { model: "gpt-4o", messages: [{ role: "user", content: "hi" }] }),
    stopping.send(live, "POST", "/v1/images/generations", { prompt: "a lever frame" }),
    stopping.send(live, "POST", "/v1/embeddings", { model: "text-embedding-3-small", input: "levers" }),
  ];
  await allThere.promise;
  await stopping.stop();
  for (const answer of await Promise.all(answers))
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      503,
      "The server is stopping; the answer is incomplete.",
    ]);
  const database = new Database(join(folder, "signalbox.db"), { readonly: true });
  // The vendors had begun, and bill it.
  expect(database.query("SELECT kind, status, cost_nano_usd > 0 FROM calls ORDER BY kind").values()).toEqual([
    ["chat", 503, 1],
    ["embedding", 503, 1],
    ["image", 503, 1],
  ]);
  database.close();
  upstream.stop();
});

test("a health check of HTTP/1.0, which names no host, is answered like any other; so is a call", async () => {
  for (const path of ["/healthz", "/v1/models?x=1"]) expect(await ask([`GET ${path} HTTP/1.0`])).toStartWith("HTTP/1.1 200");
  expect(await ask(["GET /v1/nothing HTTP/1.0"])).toStartWith("HTTP/1.1 404");
});

test("the dashboard reaches its projects also where a request names no host, or one that is none", async () => {
  const { operator } = await signIn(gateway);
  const path = `/dashboard/api/projects/${key.project.id}/test/v1/models`;
  for (const head of [[`GET ${path} HTTP/1.0`], [`GET ${path} HTTP/1.1`, "Host: a b"]])
    expect(await ask([...head, `Cookie: ${operator.cookie}`])).toStartWith("HTTP/1.1 200");
});

test("a connection that nobody uses is closed, but not while its answer is awaited", async () => {
  const { serve } = Bun;
  const listening = spyOn(Bun, "serve").mockImplementation((options) => {
    const server = serve(options);
    const { timeout } = server;
    spyOn(server, "timeout").mockImplementation((request) => timeout.call(server, request, 5));
    return server as never;
  });
  const upstream = startUpstreamStub();
  const held = heldAnswer(completion("late"));
  upstream.answer(held.answer);
  const slow = await startGateway({ environment: { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${upstream.url}/v1` } });
  listening.mockRestore();
  const live = await slow.key({ mode: "live" });
  const { port } = new URL(slow.url);
  const waiting = connect(Number(port), "127.0.0.1");
  const answers: string[] = [];
  const answered = (text: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.on("data", (piece) => answers.push(String(piece)) && answers.join("").includes(text) && resolve());
      waiting.on("close", reject);
    });
  const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }] });
  waiting.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await answered('"ok"');
  const head = `POST /v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${live.text}\r\nContent-Length: ${body.length}`;
  waiting.write(`${head}\r\n\r\n${body}`);
  await held.asked;
  const idle = connect(Number(port), "127.0.0.1", () => idle.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
  await new Promise((resolve) => idle.on("data", () => {}).on("close", resolve));
  held.letGo();
  await answered('"late"');
  waiting.destroy();
  await slow.stop();
  upstream.stop();
}, 30_000);
