/** Requests that are wrong on the wire: keys in the wrong place, forged hosts, odd forms, stalled and smuggled ones (safety-notes T12, T16, T17). */

import { expect, test } from "bun:test";
import { connect } from "node:net";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();

const QUESTION = { messages: [{ role: "user", content: "Which trains were late?" }] };

/** Sends bytes as they are; resolves with all that comes back until the server closes, or until it is `enough`; what stays open is cut off. */
const sendRaw = (text: string, enough = (_received: string): boolean => false): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1", () => socket.write(text));
    let received = "";
    const bound = setTimeout(() => socket.destroy(), 20_000);
    socket.on("data", (bytes) => {
      received += bytes;
      if (enough(received)) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(bound);
      resolve(received);
    });
  });
const statusesOf = (received: string): number[] =>
  [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));

test("a key counts in the Authorization header (or Anthropic's) and nowhere else", async () => {
  const body = JSON.stringify({ ...QUESTION, api_key: key.text, key: key.text, authorization: `Bearer ${key.text}` });
  const places: [string, Record<string, string>][] = [
    [`/v1/chat?api_key=${key.text}&key=${key.text}&authorization=Bearer%20${key.text}&access_token=${key.text}`, {}],
    ["/v1/chat", { cookie: `authorization=Bearer ${key.text}; api_key=${key.text}; __Host-signalbox=${key.text}` }],
    ["/v1/chat", { "proxy-authorization": `Bearer ${key.text}` }],
    ["/v1/chat", { "x-authorization": `Bearer ${key.text}`, "x-forwarded-authorization": `Bearer ${key.text}` }],
    ["/v1/chat", { authorization: `Basic ${btoa(`${key.text}:`)}` }],
    ["/v1/chat", { authorization: key.text }],
    ["/v1/chat", { authorization: `Bearer ${key.text} ${key.text}` }],
    ["/v1/chat", { authorization: `Bearer "${key.text}"` }],
    ["/v1/chat", { authorization: "Bearer ", "x-api-key": key.text }],
    ["/v1/chat", { authorization: `Bearer ${key.text.slice(0, -1)}${key.text.endsWith("x") ? "y" : "x"}` }],
    ["/v1/chat", { authorization: `Bearer ${key.text.toUpperCase()}` }],
  ];
  for (const [path, headers] of places) {
    const response = await fetch(`${gateway.url}${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    expect([headers, response.status, ((await response.json()) as any).error]).toEqual([
      headers,
      401,
      { type: "authentication_error", message: "Invalid API key" },
    ]);
  }
  const own = { "x-api-key": key.text };
  expect((await gateway.send(null, "POST", "/v1/chat", QUESTION, own)).status).toBe(200);
  const behindProxy = { ...own, authorization: `Basic ${btoa("ann:secret")}` };
  expect((await gateway.send(null, "POST", "/v1/chat", QUESTION, behindProxy)).status).toBe(200);
});

test("a forged host appears in no link", async () => {
  const forged: Record<string, string>[] = [
    { host: "evil.example" },
    { "x-forwarded-host": "evil.example" },
    { forwarded: "host=evil.example" },
    { host: "evil.example:80", "x-forwarded-proto": "https" },
  ];
  for (const headers of forged) {
    const response = await gateway.send(key, "POST", "/v1/images/generations", { prompt: "a red signal lamp" }, headers);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toContain("evil.example");
    expect(JSON.parse(text).data[0].url).toStartWith("http://127.0.0.1");
  }
});

test("no answer allows another site to read it with the user's cookies", async () => {
  for (const path of ["/v1/logs", "/dashboard", "/dashboard/api/session", "/healthz", "/openapi.json"]) {
    const response = await fetch(`${gateway.url}${path}`, { headers: { origin: "https://evil.example" }, redirect: "manual" });
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("access-control-allow-origin") ?? "").not.toBe("https://evil.example");
    expect([path, response.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
  }
});

const multipart = (body: string | Uint8Array, type: string) =>
  fetch(`${gateway.url}/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.text}`, "content-type": type },
    body: body as BodyInit,
  });
const part = (head: string, body: string, boundary = "b") => `--${boundary}\r\n${head}\r\n\r\n${body}\r\n`;
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain';

test("odd multipart bodies are taken or refused, never a crash", async () => {
  const cases: [name: string, body: string, type?: string][] = [
    ["no boundary", `${part(FILE, "late")}--b--\r\n`, "multipart/form-data"],
    ["another boundary", `${part(FILE, "late")}--b--\r\n`, "multipart/form-data; boundary=c"],
    ["no end", part(FILE, "late")],
    ["nothing", ""],
    ["an end only", "--b--\r\n"],
    ["an empty boundary", part(FILE, "late", ""), 'multipart/form-data; boundary=""'],
    [
      "a boundary of 5,000 characters",
      part(FILE, "late", "x".repeat(5_000)),
      `multipart/form-data; boundary=${"x".repeat(5_000)}`,
    ],
    ["no disposition", `${part("Content-Type: text/plain", "late")}--b--\r\n`],
    ["no name", `${part('Content-Disposition: form-data; filename="a.txt"', "late")}--b--\r\n`],
    ["a field for a file", `${part('Content-Disposition: form-data; name="file"', "late")}--b--\r\n`],
    ["two files", `${part(FILE, "late") + part(FILE, "later")}--b--\r\n`],
    [
      "metadata that is not JSON",
      `${part(FILE, "late") + part('Content-Disposition: form-data; name="metadata"', "{")}--b--\r\n`,
    ],
    [
      "metadata that is deep",
      `${part(FILE, "late") + part('Content-Disposition: form-data; name="metadata"', "[".repeat(50_000))}--b--\r\n`,
    ],
    ["a head of 100 KB", `${part(`${FILE}\r\nX-Long: ${"x".repeat(100_000)}`, "late")}--b--\r\n`],
    [
      "20,000 fields",
      Array.from({ length: 20_000 }, (_, index) => part(`Content-Disposition: form-data; name="f${index}"`, "x")).join("") +
        part(FILE, "late") +
        "--b--\r\n",
    ],
    ["a field named __proto__", `${part('Content-Disposition: form-data; name="__proto__"', "x") + part(FILE, "late")}--b--\r\n`],
    ["an executable", `${part('Content-Disposition: form-data; name="file"; filename="a.exe"', "MZ")}--b--\r\n`],
    [
      "a page that says it is a PDF",
      part('Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf', "<html>") +
        "--b--\r\n",
    ],
    [
      "nested multipart",
      part('Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=c', part(FILE, "late", "c")) +
        "--b--\r\n",
    ],
    ["transfer encoding", `${part(`${FILE}\r\nContent-Transfer-Encoding: base64`, "bGF0ZQ==")}--b--\r\n`],
  ];
  for (const [name, body, type = "multipart/form-data; boundary=b"] of cases) {
    const response = await multipart(body, type);
    expect([name, [201, 400, 413, 415].includes(response.status)]).toEqual([name, true]);
    if (response.status !== 201) expect(((await response.json()) as any).error.message).toBeString();
    else await response.text();
  }
  await gateway.platform.background.idle();
  expect((await gateway.send(key, "GET", "/v1/documents")).status).toBe(200);
}, 30_000);

test("paths that are dressed up reach nothing else", async () => {
  for (const path of [
    "/v1/../dashboard/api/projects",
    "/v1/%2e%2e/dashboard/api/projects",
    "/v1//logs",
    "/v1/logs/%00",
    "/v1/logs/..%2f..%2fetc%2fpasswd",
    "/v1/files/..%2f..%2fsignalbox.db?expires=99999999999&signature=x",
    "/v1/files/%c0%ae",
    "/V1/LOGS",
    "/v1/logs%",
    "/v1/logs/%zz",
    "/.git/config",
    "/data/signalbox.db",
    "/signalbox.db",
    "/dashboard/../signalbox.db",
    "/dashboard/%2e%2e/%2e%2e/etc/passwd",
  ]) {
    const received = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect([path, [400, 401, 404].includes(statusesOf(received)[0]!)]).toEqual([path, true]);
    expect(received).not.toMatch(/SQLite format|root:/);
  }
});

test("lengths that contradict each other are refused, and nothing is smuggled behind them", async () => {
  const smuggled = `GET /v1/logs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.text}\r\n\r\n`;
  const head = `POST /v1/chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: application/json\r\n`;
  for (const [name, text] of [
    ["length and chunks", `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["two lengths", `${head}Content-Length: 5\r\nContent-Length: ${smuggled.length}\r\n\r\n12345${smuggled}`],
    ["an unknown coding", `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a coding behind a blank", `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a negative length", `${head}Content-Length: -1\r\n\r\n${smuggled}`],
    ["a length with a sign", `${head}Content-Length: +5\r\n\r\n12345${smuggled}`],
    ["a bare line feed in the head", `${head}X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a chunk size that is not a number", `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${smuggled}`],
  ] as const) {
    const received = await sendRaw(text);
    expect([name, received.includes('"logs":')]).toEqual([name, false]);
    expect([name, statusesOf(received).every((status) => status >= 400)]).toEqual([name, true]);
  }
  expect((await gateway.send(key, "POST", "/v1/chat", QUESTION)).status).toBe(200);
}, 30_000);

test("heads without end are refused", async () => {
  const big = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Big: ${"x".repeat(100_000)}\r\n\r\n`);
  expect(statusesOf(big)).not.toContain(200);
  const many = await sendRaw(
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${Array.from({ length: 4_000 }, (_, index) => `X-${index}: y\r\n`).join("")}\r\n`,
  );
  expect(statusesOf(many)).not.toContain(200);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});

test("hundreds of stalled heads and bodies keep nobody else from being served", async () => {
  const stalled = Array.from({ length: 300 }, (_, index) => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      index % 2 === 0
        ? "POST /v1/chat HTTP/1.1\r\nHost: local"
        : `POST /v1/chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"messages":`,
    );
    return socket;
  });
  for (let asked = 0; asked < 5; asked++) expect((await gateway.send(key, "POST", "/v1/chat", QUESTION)).status).toBe(200);
  for (const socket of stalled) socket.destroy();
});

test("an announced body beyond the bound is refused before it is sent", async () => {
  const received = await sendRaw(
    `POST /v1/chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
    (answer) => statusesOf(answer).length > 0,
  );
  expect(statusesOf(received)[0]).toBe(413);
});
