/** Which upstreams of a media model are asked after which failure, and what the breaker learns of it. */

import { beforeEach, expect, test } from "bun:test";
import type { Mode } from "../../../src/accounts/api-key.ts";
import type { MediaTarget } from "../../../src/catalog/media-models.ts";
import type { TargetsCall } from "../../../src/providers/targets/targets-call.ts";
import { tryTargets } from "../../../src/providers/targets/try-targets.ts";
import { UpstreamError, type UpstreamErrorKind } from "../../../src/providers/upstream-error.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { spendRetries } from "../../support/spend-retries.ts";

const TARGETS = [
  { provider: "openai", model: "gpt-image-2" },
  { provider: "replicate", model: "openai/gpt-image-2" },
];
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-x", REPLICATE_API_TOKEN: "r8-x" } });
/** Whatever failed in the test before is well again. */
beforeEach(async () => {
  gateway.clock.advance(3_600_000);
  for (const target of TARGETS) await draw(() => Promise.resolve("a picture"), { targets: [target] });
});

/** One picture by way of `use`; a live caller's, by the two upstreams above, where nothing else is said. */
const draw = <T>(use: TargetsCall<T>["use"], about: Partial<Pick<TargetsCall<T>, "caller" | "signal" | "targets">> = {}) =>
  tryTargets(gateway.platform, {
    caller: callerOf("live"),
    signal: new AbortController().signal,
    what: "a picture",
    targets: TARGETS,
    service: "image",
    use,
    ...about,
  });
const callerOf = (mode: Mode) => ({ mode, requestId: "call_x", traceparent: null });
const failing = () => Promise.reject(new UpstreamError("server", "It failed."));

/** The upstreams that were asked where each fails like this. */
const asked = async (kind: UpstreamErrorKind, mode: Mode = "live"): Promise<string[]> => {
  const providers: string[] = [];
  const use = async (_: unknown, { provider }: MediaTarget) => {
    providers.push(provider);
    throw new UpstreamError(kind, "It failed.", { retryAfterMs: 0 });
  };
  expect((await draw(use, { caller: callerOf(mode) })).ok).toBe(false);
  return providers;
};

test("a failing upstream is asked once more, then the next one once", async () => {
  expect(await asked("server")).toEqual(["openai", "openai", "replicate"]);
});

test("what would fail again is not asked of the same upstream again", async () => {
  expect(await asked("auth")).toEqual(["openai", "replicate"]);
});

test("where the first upstream rests, the one that is asked in its place is a fallback", async () => {
  for (let calls = 0; calls < 5; calls += 1) await draw(failing, { targets: TARGETS.slice(0, 1) });
  const drawnBy = async () => {
    const { attempts } = await draw(() => Promise.resolve("a picture"));
    return attempts.map(({ provider, purpose }) => [provider, purpose]);
  };
  expect(await drawnBy()).toEqual([["replicate", "fallback"]]);
  gateway.clock.advance(3_600_000);
  expect(await drawnBy()).toEqual([["openai", "first"]]);
});

test("an upstream whose budget of retries is used up is not asked once more, and the attempt says why", async () => {
  spendRetries(gateway, "openai");
  const { attempts } = await draw(failing);
  expect(attempts.map(({ provider, notRetried }) => [provider, notRetried])).toEqual([
    ["openai", "retry_budget"],
    ["replicate", undefined],
  ]);
});

test("where nobody else could do it, a retry needs no budget", async () => {
  spendRetries(gateway, "openai");
  const { attempts } = await draw(failing, { targets: TARGETS.slice(0, 1) });
  expect(attempts.map(({ purpose }) => purpose)).toEqual(["first", "retry"]);
});

test("however many upstreams an operator names, four attempts are made of a call", async () => {
  const targets = Array.from({ length: 6 }, (_, n) => ({ provider: "openai", model: `painter-${n}` }));
  const { attempts } = await draw(failing, { targets });
  expect(attempts.map(({ purpose }) => purpose)).toEqual(["first", "retry", "fallback", "fallback"]);
});

test("for a caller who leaves while a retry is waited for nothing more is asked", async () => {
  const caller = new AbortController();
  let asks = 0;
  const use = async () => {
    asks++;
    queueMicrotask(() => setImmediate(() => caller.abort()));
    throw new UpstreamError("rate_limit", "Wait.", { retryAfterMs: 1_000 });
  };
  const outcome = await draw(use, { signal: caller.signal });
  expect([outcome.ok, "cancelled" in outcome && outcome.cancelled, asks]).toEqual([false, true, 1]);
});

test("callers who leave say nothing of the upstream", async () => {
  for (let calls = 0; calls < 20; calls++) {
    const caller = new AbortController();
    const use = () => {
      caller.abort();
      return failing();
    };
    expect((await draw(use, { signal: caller.signal })).ok).toBe(false);
  }
  expect(gateway.platform.providers.health.state("openai", "gpt-image-2")).toBe("healthy");
});

test("what took too long, and may have been made and billed, is not asked of the same upstream again", async () => {
  expect(await asked("timeout")).toEqual(["openai", "replicate"]);
});

test("a caller is told to wait as long as the upstream asked for", async () => {
  const waits = async (retryAfterMs?: number) => {
    const use = () => Promise.reject(new UpstreamError("auth", "Wait.", retryAfterMs === undefined ? {} : { retryAfterMs }));
    const outcome = await draw(use);
    return !outcome.ok && outcome.error.options.retryAfterSeconds;
  };
  expect([await waits(), await waits(12_300)]).toEqual([5, 13]);
});

test("while all upstreams rest, a caller is told when the first of them may be asked", async () => {
  const wear = async (place: number) => {
    for (let calls = 0; calls < 5; calls += 1) await draw(failing, { targets: [TARGETS[place]!] });
  };
  const wait = async (targets: MediaTarget[]) => {
    const outcome = await draw(failing, { targets });
    return outcome.ok ? undefined : outcome.error.options.retryAfterSeconds!;
  };
  await wear(0);
  gateway.clock.advance(10_000);
  await wear(1);
  const [first, second] = [(await wait(TARGETS.slice(0, 1)))!, (await wait(TARGETS.slice(1)))!];
  expect(first).toBeLessThan(second - 5);
  expect(await wait(TARGETS)).toBeWithin(first - 1, first + 1);
});

test("what a safety system rejects is not carried to the next", async () => {
  expect(await asked("content_filter")).toEqual(["openai"]);
});

test("the sandbox's faults keep no upstream from live calls", async () => {
  const state = () => gateway.platform.providers.health.state("openai", "gpt-image-2");
  for (let call = 0; call < 20; call++) await asked("server", "test");
  expect(state()).toBe("healthy");
  for (let call = 0; call < 20; call++) await asked("server");
  expect(state()).toBe("down");
});
