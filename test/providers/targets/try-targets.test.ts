/** Which upstreams of a media model are asked after which failure, and what the breaker learns of it. */

import { beforeEach, expect, test } from "bun:test";
import { UpstreamError, type UpstreamErrorKind } from "../../../src/providers/provider.ts";
import { tryTargets } from "../../../src/providers/targets/try-targets.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { spendRetries } from "../../support/spend-retries.ts";

const TARGETS = [
  { provider: "openai", model: "gpt-image-2" },
  { provider: "replicate", model: "openai/gpt-image-2" },
];
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-x", REPLICATE_API_TOKEN: "r8-x" } });
beforeEach(() => gateway.clock.advance(3_600_000));

/** The upstreams that were asked where each fails like this. */
const asked = async (kind: UpstreamErrorKind, mode: "live" | "test" = "live"): Promise<string[]> => {
  const providers: string[] = [];
  const outcome = await tryTargets(gateway.platform, {
    caller: { mode, requestId: "call_x", traceparent: null },
    signal: new AbortController().signal,
    what: "a picture",
    targets: TARGETS,
    service: "image",
    attemptMs: 1_000,
    param: "prompt",
    use: async (_, { provider }) => {
      providers.push(provider);
      throw new UpstreamError(kind, "It failed.", { retryAfterMs: 0 });
    },
  });
  expect(outcome.ok).toBe(false);
  return providers;
};

test("a failing upstream is asked once more, then the next one once", async () => {
  expect(await asked("server")).toEqual(["openai", "openai", "replicate"]);
});

test("where the first upstream rests, the one that is asked in its place is a fallback", async () => {
  const draw = (targets: typeof TARGETS, use: () => Promise<string>) =>
    tryTargets(gateway.platform, {
      caller: { mode: "live", requestId: "call_r", traceparent: null },
      signal: new AbortController().signal,
      what: "a picture",
      targets,
      service: "image",
      attemptMs: 1_000,
      param: "prompt",
      use,
    });
  const failing = () => Promise.reject(new UpstreamError("server", "It failed."));
  for (let calls = 0; calls < 5; calls += 1) await draw(TARGETS.slice(0, 1), failing);
  const drawnBy = async () => {
    const { attempts } = await draw(TARGETS, () => Promise.resolve("a picture"));
    return attempts.map(({ provider, purpose }) => [provider, purpose]);
  };
  expect(await drawnBy()).toEqual([["replicate", "fallback"]]);
  gateway.clock.advance(3_600_000);
  expect(await drawnBy()).toEqual([["openai", "first"]]);
});

test("an upstream whose budget of retries is used up is not asked once more, and the attempt says why", async () => {
  spendRetries(gateway, "openai");
  const { attempts } = await tryTargets(gateway.platform, {
    caller: { mode: "live", requestId: "call_z", traceparent: null },
    signal: new AbortController().signal,
    what: "a picture",
    targets: TARGETS,
    service: "image",
    attemptMs: 1_000,
    param: "prompt",
    use: async () => {
      throw new UpstreamError("server", "It failed.");
    },
  });
  expect(attempts.map(({ provider, notRetried }) => [provider, notRetried])).toEqual([
    ["openai", "retry_budget"],
    ["replicate", undefined],
  ]);
});

test("for a caller who leaves while a retry is waited for nothing more is asked", async () => {
  const caller = new AbortController();
  let asks = 0;
  const outcome = await tryTargets(gateway.platform, {
    caller: { mode: "live", requestId: "call_y", traceparent: null },
    signal: caller.signal,
    what: "a picture",
    targets: TARGETS,
    service: "image",
    attemptMs: 1_000,
    param: "prompt",
    use: async () => {
      asks++;
      queueMicrotask(() => setImmediate(() => caller.abort()));
      throw new UpstreamError("rate_limit", "Wait.", { retryAfterMs: 1_000 });
    },
  });
  expect([outcome.ok, "cancelled" in outcome && outcome.cancelled, asks]).toEqual([false, true, 1]);
});

test("what took too long, and may have been made and billed, is not asked of the same upstream again", async () => {
  expect(await asked("timeout")).toEqual(["openai", "replicate"]);
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
