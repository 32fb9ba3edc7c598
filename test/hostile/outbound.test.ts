/** URLs that callers and upstreams name (safety-notes T1, T2): no spelling, redirect or rebinding reaches what is not public. */

import { afterAll, beforeEach, expect, spyOn, test } from "bun:test";
import { getServers, Resolver, setServers } from "node:dns";
import { dns } from "bun";
import { checkUrl, fetchGuarded } from "../../src/http/outbound-guard.ts";
import type { Platform } from "../../src/platform.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const resolver = { asked: [] as string[], answers: [] as string[] };
/** Answers in turn; the last one repeats. */
const resolveTo = (...answers: string[]) => {
  resolver.asked = [];
  resolver.answers = answers;
};
const lookup = spyOn(dns, "lookup").mockImplementation(async (host: string) => {
  resolver.asked.push(host);
  const address = resolver.answers.length > 1 ? resolver.answers.shift()! : resolver.answers[0]!;
  return address.split(" ").map((each) => ({ address: each, family: each.includes(":") ? 6 : 4, ttl: 0 }));
});

const hits: string[] = [];
const gateway = await gatewayOfFile();
const key = await gateway.key();
const secret = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    hits.push(request.url);
    const { pathname } = new URL(request.url);
    const to = decodeURIComponent(pathname.slice(1));
    return to.startsWith("to=")
      ? new Response(null, { status: 302, headers: { location: to.slice(3) } })
      : new Response("the secret");
  },
});
beforeEach(() => {
  hits.length = 0;
  resolveTo("127.0.0.1");
});
afterAll(async () => {
  lookup.mockRestore();
  await secret.stop(true);
});

const LOOPBACK = [
  "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "0", "0.0.0.0", "127.127.127.127",
  "１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "redis", "localhost", "LOCALHOST", "localhost.", "sub.localhost", "printer.local", "metadata.google.internal",
  "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
  "[fe80::1]", "[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[2001:db8::1]", "[2001::1]", "[3fff::1]",
]; // biome-ignore format: a list
const PRIVATE = ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "198.18.0.1", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"]; // biome-ignore format: a list
const TRICKS = [
  "http://example.com/x.png", "file:///etc/hostname", "file://localhost/etc/hostname", "ftp://example.com/x", "s3://bucket/key", "gopher://example.com", "blob:https://example.com/x",
  "javascript:alert(1)", "data:text/html,<script>", "https://user:pass@example.com/", "https://example.com:8080/", "https://example.com:22/", "//example.com/x", "/etc/hostname", "https://", "not a url", "",
]; // biome-ignore format: a list

const imageCall = (url: string, type: "image_url" | "video_url" = "image_url") =>
  gateway.send(key, "POST", "/v1/chat", {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type, [type]: { url } },
        ],
      },
    ],
  });

test("no spelling of a private address, no other scheme, port or user info is taken from a caller", async () => {
  for (const url of [...[...LOOPBACK, ...PRIVATE].map((host) => `https://${host}/latest/meta-data`), ...TRICKS]) {
    for (const type of ["image_url", "video_url"] as const) {
      const response = await imageCall(url, type);
      const body = (await response.json()) as any;
      expect([url, type, response.status, body.error?.type]).toEqual([url, type, 400, "invalid_request"]);
      expect(body.error.param).toStartWith("messages.0.content.1");
    }
  }
});

test("every API refuses a private address at the field that names it, streamed or not", async () => {
  const url = "https://169.254.169.254/latest";
  const user = (part: object) => [{ role: "user", content: [part] }];
  const chat = { messages: user({ type: "image_url", image_url: { url } }) };
  const source = { type: "url", url };
  for (const [path, body, param] of [
    ["/v1/chat", chat, "messages.0.content.0.image_url.url"],
    ["/v1/chat/stream", chat, "messages.0.content.0.image_url.url"],
    ["/v1/route", chat, "messages.0.content.0.image_url.url"],
    ["/v1/chat/completions", chat, "messages.0.content.0.image_url.url"],
    ["/v1/messages", { messages: user({ type: "image", source }) }, "messages.0.content.0.source.url"],
    ["/v1/messages", { messages: user({ type: "document", source }) }, "messages.0.content.0.source.url"],
    ["/v1/responses", { input: user({ type: "input_image", image_url: url }) }, "input.0.content.0.image_url"],
    ["/v1/responses", { input: user({ type: "input_file", file_url: url }) }, "input.0.content.0.file_url"],
  ] as const) {
    const response = await gateway.send(key, "POST", path, { model: "auto", max_tokens: 20, ...body });
    const { message } = ((await response.json()) as any).error;
    expect([path, response.status, message]).toEqual([path, 400, expect.stringContaining(param)]);
  }
});

test("a backslash, a fragment or an at sign does not hide the host", async () => {
  for (const url of [
    "https://example.com@127.0.0.1/",
    "https://127.0.0.1#@example.com/",
    "https://127.0.0.1\\@example.com/",
    "https:\\\\127.0.0.1/",
    "https://127.0.0.1%2f@example.com/",
  ]) {
    expect((await imageCall(url)).status).toBe(400);
  }
});

const guarded = (url: string, allowedHosts: string[] = [], timeoutMs = 20_000) =>
  fetchGuarded(gateway.platform as Platform, url, { maxBytes: 1_000, timeoutMs, param: "url", allowedHosts });
const refusalOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "fetched",
    (error: Error) => error.message,
  );

test("a name that resolves to a private address is refused, also where only one of its addresses is", async () => {
  for (const address of ["127.0.0.1", "10.1.2.3", "::1", "::ffff:10.0.0.1", "fe80::1", "93.184.215.14 192.168.0.1"]) {
    resolveTo(address);
    expect(await refusalOf(guarded("https://innocent.example/"))).toContain("not public");
  }
  expect(hits).toEqual([]);
});

test("the operator's list names a host in any port or in one, in any spelling of it", () => {
  const takes = (url: string, entry: string): boolean => {
    try {
      return checkUrl([entry], url, "url").href !== "";
    } catch {
      return false;
    }
  };
  for (const entry of ["files.lan", "files.lan:80"]) expect(takes("http://files.lan./x", entry)).toBe(true);
  for (const entry of ["::1", "[::1]", "[::1]:8080"]) expect(takes("http://[::1]:8080/x", entry)).toBe(true);
  expect(takes("https://vault:443/x", "vault:443")).toBe(true);
  for (const entry of ["files.lan:81", "files.lan:443", "lan", "a.files.lan"])
    expect(takes("http://files.lan/x", entry)).toBe(false);
});

test("a name that changes its address after the look (rebinding) gains nothing: it is looked up once, and that address is connected to", async () => {
  resolveTo("192.0.3.1", "127.0.0.1");
  expect(await refusalOf(guarded("https://rebind.example/", [], 500))).toMatch(/could not be reached|in time/);
  expect(resolver.asked).toEqual(["rebind.example"]);
  expect(hits).toEqual([]);
});

test("a host with several addresses is tried at one after another, IPv4 first", async () => {
  const entry = `files.lan:${secret.port}`;
  for (const addresses of ["::1 127.0.0.1", "127.0.0.2 127.0.0.1"]) {
    resolveTo(addresses);
    expect(await refusalOf(guarded(`http://${entry}/`, [entry]))).toBe("fetched");
  }
  expect(hits.splice(0)).toHaveLength(2);
});

test("an IPv6 address is connected to as itself, not by the name once more", async () => {
  resolveTo("2606:4700::1111");
  using connect = spyOn(globalThis, "fetch").mockResolvedValue(new Response("it"));
  expect(await refusalOf(guarded("https://six.example/x"))).toBe("fetched");
  expect(connect.mock.calls.map(([url]) => url)).toEqual(["https://[2606:4700::1111]/x"]);
});

test("a name server that is silent holds up neither the call beyond its time nor a thread that others need", async () => {
  lookup.mockImplementationOnce(() => new Promise(() => {}));
  expect(await refusalOf(guarded("https://silent.example/", [], 20))).toContain("in time");
  expect(lookup).toHaveBeenLastCalledWith("silent.example", { backend: "c-ares" });
});

test("the name servers asked are those that the system has now", async () => {
  setServers(["192.0.2.1"]);
  resolveTo("127.0.0.1");
  await refusalOf(guarded("https://moved.example/"));
  expect(getServers()).toEqual(new Resolver().getServers());
});

test("each redirect is checked again, and there are at most three", async () => {
  const own = `127.0.0.1:${secret.port}`;
  const via = (to: string) => guarded(`http://${own}/${encodeURIComponent(`to=${to}`)}`, [own]);
  resolveTo("127.0.0.1");
  for (const to of [
    "http://127.0.0.1:1/",
    "https://169.254.169.254/",
    "file:///etc/hostname",
    "https://[::1]/",
    "https://innocent.example/",
  ]) {
    expect(await refusalOf(via(to))).toMatch(/not public|only https/);
  }
  for (const to of ["http://[", "https://:0:0/", "http://a b/"])
    expect(await refusalOf(via(to))).toContain("redirects to nowhere");
  expect(await refusalOf(via(`http://${own}/`))).toBe("fetched");
  const loop = `http://${own}/${encodeURIComponent(`to=/${encodeURIComponent("to=/")}`)}`;
  expect(await refusalOf(guarded(loop, [own]))).toBe("fetched");
  let deep = "/";
  for (let hop = 0; hop < 5; hop++) deep = `/${encodeURIComponent(`to=${deep}`)}`;
  expect(await refusalOf(guarded(`http://${own}${deep}`, [own]))).toContain("redirects more than 3 times");
});

test("a result that never ends, or is compressed to look small, is cut at its bound", async () => {
  const zip = Bun.gzipSync(new Uint8Array(50_000_000));
  const endless = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      if (request.url.endsWith("/zip")) {
        return new Response(zip, { headers: { "content-encoding": "gzip" } });
      }
      return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }));
    },
  });
  const own = `127.0.0.1:${endless.port}`;
  for (const path of ["/", "/zip"])
    expect(await refusalOf(guarded(`http://${own}${path}`, [own]))).toContain("larger than 1000 bytes");
  await endless.stop(true);
});

test("an answer that breaks off is no result", async () => {
  const broken = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf") },
  });
  const own = `127.0.0.1:${broken.port}`;
  expect(await refusalOf(guarded(`http://${own}/`, [own]))).toContain("its answer broke off");
  broken.stop(true);
});
