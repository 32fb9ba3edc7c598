import { describe, expect, test } from "bun:test";
import { readConfig } from "../../src/config/config.ts";
import { fileUrl, keepFile, sweepFiles } from "../../src/files/keep-file.ts";
import { readRange } from "../../src/files/read-range.ts";
import { originOf } from "../../src/http/request-origin.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

const bytes = Uint8Array.from({ length: 2_500_000 }, (_, index) => index % 251);
const keep = async (lifetimeMs = 60_000, content = bytes) => {
  const file = await keepFile(gateway.platform, {
    projectId: "p",
    mediaType: "video/mp4",
    label: "video",
    extension: "mp4",
    bytes: content,
    lifetimeMs,
  });
  return { file, url: fileUrl(gateway.platform.db, gateway.url, file) };
};

describe("a signed link", () => {
  test("gives the whole file without a key", async () => {
    const { url } = await keep();
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.bytes()).toEqual(bytes);
    expect(response.headers.get("content-type")).toBe("video/mp4");
    expect(response.headers.get("content-disposition")).toMatch(/^inline; filename="video-[\w-]+\.mp4"$/);
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(response.headers.get("content-length")).toBe("2500000");
  });

  test("gives any range, across pieces too", async () => {
    const { url } = await keep();
    for (const [range, from, to] of [
      ["bytes=0-0", 0, 1],
      ["bytes=1048570-1048580", 1_048_570, 1_048_581],
      ["bytes=2499990-", 2_499_990, 2_500_000],
      ["bytes=-5", 2_499_995, 2_500_000],
      ["bytes=2499999-9999999", 2_499_999, 2_500_000],
    ] as const) {
      const response = await fetch(url, { headers: { range } });
      expect([response.status, response.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to - 1}/2500000`]);
      expect(await response.bytes()).toEqual(bytes.subarray(from, to));
    }
    const beyond = await fetch(url, { headers: { range: "bytes=2500000-" } });
    expect([beyond.status, beyond.headers.get("content-range"), ((await beyond.json()) as any).error.type]).toEqual([
      416,
      "bytes */2500000",
      "invalid_request",
    ]);
  });

  test("gives a long file piece by piece", async () => {
    const long = Uint8Array.from({ length: 4_500_000 }, (_, index) => index % 241);
    const { url } = await keep(60_000, long);
    expect(await (await fetch(url)).bytes()).toEqual(long);
    expect(await (await fetch(url, { headers: { range: "bytes=7-4400000" } })).bytes()).toEqual(long.subarray(7, 4_400_001));
  });

  test("goes on with a download that was broken off, if it was of this file", async () => {
    const { url } = await keep();
    const etag = (await fetch(url, { method: "HEAD" })).headers.get("etag")!;
    const statusFrom = async (from: string) => (await fetch(url, { headers: { range: "bytes=5-", "if-range": from } })).status;
    expect([await statusFrom(etag), await statusFrom('"another"')]).toEqual([206, 200]);
  });

  test("is not sent again to a caller that has the file", async () => {
    const { url } = await keep();
    const etag = (await fetch(url, { method: "HEAD" })).headers.get("etag")!;
    const asked = async (held: string) => {
      const response = await fetch(url, { headers: { "if-none-match": held } });
      return [response.status, (await response.bytes()).length];
    };
    for (const held of [etag, `W/"another", W/${etag}`, "*"]) expect(await asked(held)).toEqual([304, 0]);
    expect(await asked('"another"')).toEqual([200, 2_500_000]);
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as any;
    expect(Object.keys(paths["/v1/files/{id}"].get.responses)).toContain("304");
  });

  test("answers HEAD with the length and no body", async () => {
    const response = await fetch((await keep()).url, { method: "HEAD" });
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([200, "2500000", ""]);
  });

  test("is good for nothing when a character of it differs", async () => {
    const { file, url } = await keep();
    const other = await keep();
    const expires = Math.floor(file.expiresAtMs / 1000);
    const forged = [
      url.replace(/signature=./, (text) => `signature=${text.endsWith("A") ? "B" : "A"}`),
      url.replace(`expires=${expires}`, `expires=${expires + 3600}`),
      url.replace(file.id, other.file.id),
      url.replace(/&signature=.*/, ""),
      url.replace(/\?.*/, ""),
      url.replace(/expires=\d+/, "expires=NaN"),
      url.replace(/expires=\d+/, "$&.0"),
      url.replace("expires=", "expires=0"),
    ];
    for (const link of forged) {
      const response = await fetch(link);
      expect([response.status, ((await response.json()) as any).error.type]).toEqual([404, "not_found"]);
    }
  });

  test("ends with its time, after which the bytes are deleted", async () => {
    gateway.clock.stop();
    const { file, url } = await keep(30_000);
    for (let other = 0; other < 45; other++) await keep(30_000, bytes.subarray(0, 10));
    const count = () =>
      gateway.platform.db.get<{ n: number }>("SELECT count(*) AS n FROM file_pieces WHERE file_id = ?", file.id)!.n;
    gateway.clock.advance(29_000);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    gateway.clock.advance(2_000);
    expect((await fetch(url)).status).toBe(404);
    expect(count()).toBe(3);
    await sweepFiles(gateway.platform);
    expect(count()).toBe(0);
    const expired = "SELECT count(*) AS n FROM files WHERE expires_at < ?";
    expect(gateway.platform.db.get<{ n: number }>(expired, gateway.clock.now())!.n).toBe(0);
    expect((await fetch(url)).status).toBe(404);
  });
});

test("ranges that make no sense are answered with the whole file", () => {
  for (const header of [null, "", "bytes=", "bytes=-", "bytes=5-2", "items=0-1", "bytes=0-1,4-5", "bytes=a-b"])
    expect(readRange(header, 100)).toBeUndefined();
  expect(readRange("bytes=-0", 100)).toBe("unsatisfiable");
  expect(readRange("bytes=99999999999999999999-", 100)).toBe("unsatisfiable");
  expect(readRange("Bytes=90-99999999999999999999", 100)).toEqual({ from: 90, to: 100 });
  expect(readRange("bytes=0-", 0)).toBe("unsatisfiable");
});

describe("the origin of links", () => {
  const origin = (host: string, environment: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    originOf(
      readConfig(environment, { db: "x.db", port: "8484" }),
      new Request("http://ignored/", { headers: { host, ...headers } }),
    );

  test("is the request's own host on this machine and its network", () => {
    expect(origin("127.0.0.1:9000")).toBe("http://127.0.0.1:9000");
    expect(origin("[::1]:9000")).toBe("http://[::1]:9000");
    expect(origin("gateway:8484", {}, { "x-forwarded-proto": "https" })).toBe("https://gateway:8484");
    expect(origin("box.lan")).toBe("http://box.lan");
  });

  test("is never a host that could be anybody's", () => {
    for (const host of ["evil.example.com", "evil.example.com:8484", "127.0.0.1@evil.com", "a b", "evil.com/x"])
      expect(origin(host)).toBe("http://127.0.0.1:8484");
  });

  test("is the public URL where one is configured", () => {
    expect(origin("evil.example.com", { SIGNALBOX_PUBLIC_URL: "https://ai.example.com/" })).toBe("https://ai.example.com");
    expect(origin("ai.example.com", { SIGNALBOX_ALLOWED_HOSTS: "ai.example.com" })).toBe("http://ai.example.com");
  });
});
