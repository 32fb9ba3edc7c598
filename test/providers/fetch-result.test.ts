import { expect, test } from "bun:test";
import { fetchResult } from "../../src/providers/fetch-result.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { contextFor, endless, failureOf, mediaStubOfFile, startMediaStub } from "../support/media-stub.ts";

const stub = mediaStubOfFile();
const gateway = await gatewayOfFile({ environment: { BFL_API_KEY: "k", BFL_BASE_URL: stub.url } });
const get = (path: string, options: { provider?: string; maxBytes?: number; remainingMs?: number } = {}) =>
  fetchResult(
    gateway.platform,
    options.provider ?? "bfl",
    { url: stub.url + path, maxBytes: options.maxBytes ?? 1_000_000 },
    contextFor({ remainingMs: options.remainingMs ?? 20_000 }),
  );

test("a result is fetched from the host its provider was configured with, but not for another provider", async () => {
  stub.answer({ "GET /a": () => new Response("bytes") });
  expect(new TextDecoder().decode(await get("/a"))).toBe("bytes");
  expect((await failureOf(get("/a", { provider: "fal" }))).kind).toBe("server");
  expect(stub.asks).toHaveLength(1);
});

test("a body that never ends is cut at its bound, one that never comes at its time", async () => {
  stub.answer({ "GET /endless": endless("video/mp4"), "GET /silent": () => new Promise<Response>(() => {}) });
  expect((await failureOf(get("/endless"))).message).toContain("larger than 1000000 bytes");
  expect((await failureOf(get("/silent", { remainingMs: 50 }))).message).toContain("in time");
});

test("a `data:` URL holds the result itself, and nothing is fetched", async () => {
  const url = `data:image/png;base64,${btoa("bytes")}`;
  const bytes = await fetchResult(gateway.platform, "fal", { url, maxBytes: 1_000 }, contextFor({ remainingMs: 20_000 }));
  expect(new TextDecoder().decode(bytes)).toBe("bytes");
});

test("a redirect to the inside is not followed, an expired link is the upstream's failure", async () => {
  stub.answer({
    "GET /away": () => Response.redirect("http://169.254.169.254/latest/meta-data"),
    "GET /gone": () => new Response("expired", { status: 410 }),
  });
  expect((await failureOf(get("/away"))).kind).toBe("server");
  expect((await failureOf(get("/gone"))).details.accepted).toBe(true);
});

test("what may hold a key is shown to the host that was named, wherever it has moved there, and to no other", async () => {
  const other = startMediaStub();
  gateway.platform.config.allowedHosts.push(new URL(other.url).host);
  stub.answer({
    "GET /moved": () => Response.redirect(`${stub.url}/here`),
    "GET /here": () => Response.redirect(`${other.url}/there`),
  });
  other.answer({ "GET /there": () => new Response("bytes") });
  const asked = { url: `${stub.url}/moved`, headers: { "x-goog-api-key": "secret" }, maxBytes: 1_000 };
  await fetchResult(gateway.platform, "bfl", asked, contextFor({ remainingMs: 20_000 }));
  const shown = [...stub.asks, ...other.asks].map(({ path, headers }) => [path, headers.get("x-goog-api-key")]);
  expect(shown).toEqual([
    ["/moved", "secret"],
    ["/here", "secret"],
    ["/there", null],
  ]);
  other.stop();
});
