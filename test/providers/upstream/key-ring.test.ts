import { beforeEach, expect, test } from "bun:test";
import { DEFAULTS } from "../../../src/config/defaults.ts";
import { createHealth } from "../../../src/providers/health/health.ts";
import type { HealthReport } from "../../../src/providers/health/model-breaker.ts";
import { createKeyRing } from "../../../src/providers/upstream/key-ring.ts";
import { rotateKeys } from "../../../src/providers/upstream/rotate-keys.ts";
import { UpstreamError } from "../../../src/providers/upstream-error.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { type Answer, json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const clock = { at: 1_000_000, now: () => clock.at };
const keys = [
  { id: "a", key: "key-a", weight: 3 },
  { id: "b", key: "key-b", weight: 1 },
];
const limited = (retryAfterMs?: number) =>
  new UpstreamError("rate_limit", "", retryAfterMs === undefined ? {} : { retryAfterMs });

const stub = upstreamStubOfFile();
beforeEach(() => {
  stub.seen.length = 0;
  clock.at = 1_000_000;
});
const usedKeys = (): (string | null)[] => stub.seen.map(({ headers }) => headers.get("authorization"));
const good = json({ choices: [{ index: 0, message: { content: "ok" }, finish_reason: "stop" }] });

test("keys are used in the proportion of their weights", () => {
  const ring = createKeyRing(keys, { clock });
  const used = Array.from({ length: 8 }, () => ring.next("m")!.id);
  expect(used.filter((id) => id === "a").length).toBe(6);
  expect(used.slice(0, 4)).toContain("b");
});

test("a rate limit cools the key for exactly the hint, at most a minute", () => {
  const ring = createKeyRing(keys.slice(0, 1), { clock });
  expect(ring.reportFailure("a", "m", limited(5000))).toBe(true);
  expect([ring.next("m"), ring.availableAt("m")]).toEqual([undefined, clock.at + 5000]);
  clock.at += 5000;
  expect(ring.next("m")?.id).toBe("a");
  ring.reportFailure("a", "m", limited(3_600_000));
  expect(ring.availableAt("m")).toBe(clock.at + 60_000);
});

test("a key's rest is no longer for a clock that was set back", () => {
  const ring = createKeyRing(keys.slice(0, 1), { clock });
  ring.reportFailure("a", "m", limited(5000));
  clock.at -= 10_800_000;
  expect([ring.next("m"), ring.availableAt("m") - clock.at]).toEqual([undefined, 5000]);
  clock.at += 5000;
  expect(ring.next("m")?.id).toBe("a");
});

test("a key that one model's limit cools goes on with the provider's other models; a refused one with none", () => {
  const ring = createKeyRing(keys, { clock });
  ring.reportFailure("a", "m", limited(5000));
  expect([ring.next("m")?.id, ring.next("m")?.id]).toEqual(["b", "b"]);
  expect(["other", "other"].map((model) => ring.next(model)?.id)).toContain("a");
  ring.reportFailure("a", "m", new UpstreamError("auth", ""));
  expect(["other", "other"].map((model) => ring.next(model)?.id)).toEqual(["b", "b"]);
});

test("a failure that is not the key's is not tried with another", async () => {
  const used: string[] = [];
  const withKey = rotateKeys("House", keys, { clock });
  const asked = withKey("m", async ({ id }) => {
    used.push(id);
    throw new UpstreamError("bad_request", "no");
  });
  await expect(asked).rejects.toMatchObject({ kind: "bad_request" });
  expect(used).toEqual(["a"]);
});

test("a key that begins to be refused is told of once", () => {
  const told: string[] = [];
  const ring = createKeyRing(keys.slice(0, 1), { clock, onRefused: (id, { kind }) => void told.push(`${id} ${kind}`) });
  ring.reportFailure("a", "m", new UpstreamError("auth", ""));
  ring.reportFailure("a", "other", new UpstreamError("auth", ""));
  expect(told).toEqual(["a auth"]);
  clock.at += 300_000;
  ring.reportFailure("a", "m", new UpstreamError("billing", ""));
  expect(told).toEqual(["a auth", "a billing"]);
});

test("a rate limit without a hint, or a failure of the server, leaves the key in use", () => {
  const ring = createKeyRing(keys.slice(0, 1), { clock });
  expect([ring.reportFailure("a", "m", limited()), ring.reportFailure("a", "m", new UpstreamError("server", ""))]).toEqual([
    false,
    false,
  ]);
  expect(ring.next("m")?.id).toBe("a");
});

test("a refused key is left alone for five minutes while another works", () => {
  const ring = createKeyRing(keys, { clock });
  ring.reportFailure("a", "m", new UpstreamError("auth", ""));
  expect([ring.next("m")?.id, ring.next("m")?.id]).toEqual(["b", "b"]);
  clock.at += 300_000;
  expect([ring.next("m")?.id, ring.next("m")?.id]).toContain("a");
});

test("a provider whose every key was refused is asked again: only the breaker shuts it", async () => {
  const provider = providerFor("openai", stub.url, { keys, clock });
  const refused = json({ error: { message: "bad key" } }, 401);
  stub.answer(refused, refused, good);
  await expect(provider.chat!("m", askFor("hi"), contextWith())).rejects.toMatchObject({ kind: "auth" });
  expect((await provider.chat!("m", askFor("hi"), contextWith())).text).toBe("ok");
  expect(usedKeys()).toEqual(["Bearer key-a", "Bearer key-b", "Bearer key-a"]);
});

test("a rate limit heard after a refusal counts from then on", () => {
  const ring = createKeyRing(keys.slice(0, 1), { clock });
  ring.reportFailure("a", "m", new UpstreamError("auth", ""));
  ring.reportFailure("a", "m", limited(5000));
  expect([ring.next("m"), ring.availableAt("m")]).toEqual([undefined, clock.at + 5000]);
});

test("a limited key's call goes on with the next key, which stays in use alone", async () => {
  const health = createHealth({ clock, cooldownMs: DEFAULTS.cooldownMs });
  const provider = providerFor("openai", stub.url, { keys, clock, health });
  stub.answer(json({ error: { message: "slow" } }, 429, { "retry-after": "10" }), good);
  expect((await provider.chat!("m", askFor("hi"), contextWith())).text).toBe("ok");
  await provider.chat!("m", askFor("hi"), contextWith());
  expect(usedKeys()).toEqual(["Bearer key-a", "Bearer key-b", "Bearer key-b"]);
  expect(health.snapshot()[0]).toMatchObject({ calls: 2, state: "healthy" });
});

test("the breaker hears how a stream ended, and nothing of one that its reader left", async () => {
  const health = createHealth({ clock, cooldownMs: DEFAULTS.cooldownMs });
  const provider = providerFor("openai", stub.url, { clock, health });
  const delta = { choices: [{ index: 0, delta: { content: "long ".repeat(2_000) } }] };
  const streams = sse([delta, delta, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }]);
  const heardAfter = async (answer: Answer, isWanted = true) => {
    stub.answer(answer);
    await provider.streamChat!("m", askFor("hi"), contextWith(), () => isWanted).catch(() => undefined);
    const [{ calls, errorRate }] = health.snapshot() as [HealthReport];
    return [calls, errorRate];
  };
  expect(await heardAfter(streams)).toEqual([1, 0]);
  expect(await heardAfter(json({ error: { message: "down" } }, 500))).toEqual([2, 0.5]);
  expect(await heardAfter(streams, false)).toEqual([2, 0.5]);
});

test("when all keys are limited the failure says when the first is free again, without asking the provider", async () => {
  const provider = providerFor("openai", stub.url, { keys, clock });
  stub.answer(json({ error: { message: "slow" } }, 429, { "retry-after": "10" }));
  await expect(provider.chat!("m", askFor("hi"), contextWith())).rejects.toMatchObject({ kind: "rate_limit" });
  clock.at += 4000;
  await expect(provider.chat!("m", askFor("hi"), contextWith())).rejects.toMatchObject({
    kind: "rate_limit",
    details: { retryAfterMs: 6000 },
  });
  expect(stub.seen.length).toBe(2);
});

test("an upstream that always refuses with a hint of zero is asked once per key, not for ever", async () => {
  const provider = providerFor("openai", stub.url, { keys, clock });
  stub.answer(json({ error: { message: "slow" } }, 429, { "retry-after": "0" }));
  await expect(provider.chat!("m", askFor("hi"), contextWith())).rejects.toMatchObject({ kind: "rate_limit" });
  expect(stub.seen.length).toBe(2);
});

test("a server without authentication gets no authorization header", async () => {
  stub.answer(good);
  await providerFor("openai", stub.url, { keys: [] }).chat!("m", askFor("hi"), contextWith());
  expect(usedKeys()).toEqual([null]);
});
