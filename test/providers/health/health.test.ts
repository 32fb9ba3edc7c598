import { expect, test } from "bun:test";
import { createHealth } from "../../../src/providers/health/health.ts";
import type { Outcome } from "../../../src/providers/health/model-breaker.ts";

const setUp = () => {
  const clock = { at: 1_000_000, now: () => clock.at };
  const health = createHealth({ clock, cooldownMs: 20_000 });
  const record = (outcome: Outcome, times = 1): void => {
    for (let time = 0; time < times; time++) health.record("p", "m", outcome);
  };
  return {
    clock,
    health,
    record,
    state: () => health.state("p", "m"),
    acquire: () => health.tryAcquire("p", "m"),
    availableAt: () => health.availableAt("p", "m"),
  };
};
const success: Outcome = { ok: true, latencyMs: 100 };
const failure: Outcome = { ok: false, kind: "server" };

test("what was never called is healthy and may be called", () => {
  const { state, acquire, availableAt } = setUp();
  expect([state(), acquire(), availableAt()]).toEqual(["healthy", true, 0]);
});

test("five failures in a row open the breaker for the cooldown", () => {
  const { clock, record, state, acquire, availableAt } = setUp();
  record(failure, 4);
  expect([state(), acquire()]).toEqual(["degraded", true]);
  record(failure);
  expect([state(), acquire(), availableAt()]).toEqual(["down", false, clock.at + 20_000]);
});

test("a clock that is set back makes no pause longer", () => {
  const { clock, health, record, acquire, availableAt } = setUp();
  record(failure, 5);
  clock.at -= 10_800_000;
  expect([acquire(), availableAt() - clock.at]).toEqual([false, 20_000]);
  expect(health.snapshot()[0]!.availableAtMs - clock.at).toBe(20_000);
  clock.at += 20_000;
  expect([availableAt(), acquire()]).toEqual([0, true]);
});

test("a success between them starts the count anew", () => {
  const { record, acquire } = setUp();
  record(failure, 4);
  record(success);
  record(failure, 4);
  expect(acquire()).toBe(true);
});

/** Of ten outcomes every second one is a failure; the last opens the breaker. */
const failEverySecond = (record: (outcome: Outcome) => void): void => {
  for (let pair = 0; pair < 5; pair++) {
    record(success);
    record(failure);
  }
};

test("half of ten or more within 30 seconds opens it too, more than half of nine does not", () => {
  const { record, acquire } = setUp();
  failEverySecond(record);
  expect(acquire()).toBe(false);
  const other = setUp();
  for (let pair = 0; pair < 4; pair++) {
    other.record(failure);
    other.record(success);
  }
  other.record(failure);
  expect(other.acquire()).toBe(true);
});

test("a failed probe opens it again, also where too little has failed lately to open it", () => {
  const { clock, record, acquire, state } = setUp();
  failEverySecond(record);
  clock.at += 30_000;
  expect(acquire()).toBe(true);
  record(failure);
  expect([state(), acquire()]).toEqual(["down", false]);
});

test("outcomes older than 30 seconds no longer count", () => {
  const { clock, record, acquire, state } = setUp();
  for (let pair = 0; pair < 4; pair++) {
    record(success);
    record(failure);
  }
  record(success);
  clock.at += 30_000;
  record(failure);
  expect([acquire(), state()]).toEqual([true, "degraded"]);
});

test("after the cooldown exactly one caller may probe; its success closes, its failure opens again", () => {
  const { clock, record, acquire, state } = setUp();
  record(failure, 5);
  clock.at += 20_000;
  expect([state(), acquire(), acquire(), acquire()]).toEqual(["degraded", true, false, false]);
  record(failure);
  expect([state(), acquire()]).toEqual(["down", false]);
  clock.at += 20_000;
  expect(acquire()).toBe(true);
  record(success);
  expect([state(), acquire(), acquire()]).toEqual(["healthy", true, true]);
});

test("a probe that was abandoned, or ended in the caller's own mistake, lets the next one try", () => {
  for (const outcome of [{ ok: "aborted" }, { ok: false, kind: "bad_request" }] as Outcome[]) {
    const { clock, record, acquire } = setUp();
    record(failure, 5);
    clock.at += 20_000;
    expect(acquire()).toBe(true);
    record(outcome);
    expect([acquire(), acquire()]).toEqual([true, false]);
  }
});

test("a probe whose outcome never comes does not close the door for good", () => {
  const { clock, record, acquire } = setUp();
  record(failure, 5);
  clock.at += 20_000;
  expect(acquire()).toBe(true);
  clock.at += 60_000;
  expect(acquire()).toBe(true);
});

test("a success of a call that began before the breaker opened does not close it", () => {
  const { record, acquire } = setUp();
  record(failure, 5);
  record(success);
  expect(acquire()).toBe(false);
});

test("the caller's own mistakes never count", () => {
  const { record, state, acquire } = setUp();
  for (const kind of ["bad_request", "context_length", "content_filter", "unsupported_param"] as const)
    record({ ok: false, kind }, 10);
  expect([state(), acquire()]).toEqual(["healthy", true]);
});

test("a model that its provider does not serve is down for five minutes, but may be asked, and is back as soon as it answers", () => {
  const { clock, health, record, state, acquire, availableAt } = setUp();
  const gone: Outcome = { ok: false, kind: "model_gone" };
  record(gone);
  expect([state(), health.state("p", "other"), acquire(), availableAt()]).toEqual(["down", "healthy", true, 0]);
  clock.at += 5 * 60_000;
  expect(state()).toBe("healthy");
  record(gone);
  record(success);
  expect(state()).toBe("healthy");
  record(gone);
  health.forgive("p");
  expect(state()).toBe("healthy");
});

test("a rate limit with a hint cools exactly that long, at most a minute, and a shorter hint does not shorten it", () => {
  const { clock, record, acquire, availableAt, state } = setUp();
  record({ ok: false, kind: "rate_limit", retryAfterMs: 7000 });
  record({ ok: false, kind: "rate_limit", retryAfterMs: 2000 });
  expect([availableAt(), acquire(), state()]).toEqual([clock.at + 7000, false, "degraded"]);
  clock.at += 7000;
  expect([acquire(), availableAt(), state()]).toEqual([true, 0, "healthy"]);
  record({ ok: false, kind: "rate_limit", retryAfterMs: 86_400_000 });
  expect(availableAt()).toBe(clock.at + 60_000);
});

test("models of one provider do not share a breaker", () => {
  const { health, record } = setUp();
  record(failure, 5);
  expect([health.state("p", "m"), health.state("p", "other"), health.state("other", "m")]).toEqual([
    "down",
    "healthy",
    "healthy",
  ]);
});

test("a provider whose models all fail is left alone as a whole, and probed once a cooldown", () => {
  const { clock, health } = setUp();
  for (const model of ["a", "b", "c", "d"]) health.record("p", model, failure);
  expect(health.tryAcquire("p", "e")).toBe(true);
  health.record("p", "e", failure);
  expect([health.tryAcquire("p", "f"), health.state("p", "f"), health.availableAt("p", "f")]).toEqual([
    false,
    "down",
    clock.at + 20_000,
  ]);
  expect(health.tryAcquire("other", "a")).toBe(true);
  clock.at += 20_000;
  expect(["a", "b", "f"].map((model) => health.tryAcquire("p", model))).toEqual([true, false, false]);
  health.record("p", "a", failure);
  expect(health.tryAcquire("p", "b")).toBe(false);
  clock.at += 20_000;
  expect(health.tryAcquire("p", "f")).toBe(true);
  health.record("p", "f", success);
  expect(["b", "f"].map((model) => health.tryAcquire("p", model))).toEqual([true, true]);
});

test("a provider's probe that its caller left lets the next one try", () => {
  const { clock, health } = setUp();
  for (const model of ["a", "b", "c", "d", "e"]) health.record("p", model, failure);
  clock.at += 20_000;
  expect(["a", "b"].map((model) => health.tryAcquire("p", model))).toEqual([true, false]);
  health.record("p", "a", { ok: "aborted" });
  expect(["b", "c"].map((model) => health.tryAcquire("p", model))).toEqual([true, false]);
});

test("who is told when to come again needs no budget for it", () => {
  const { health } = setUp();
  const retry = (details: { retryAfterMs?: number }) => health.tryRetry("p", { details });
  expect(Array.from({ length: 11 }, () => retry({ retryAfterMs: 100 }))).not.toContain(false);
  expect(Array.from({ length: 11 }, () => retry({})).filter(Boolean).length).toBe(10);
  expect([retry({}), retry({ retryAfterMs: 100 })]).toEqual([false, true]);
});

test("one call that fails at every model of a provider does not shut it for all others; the second such call does", () => {
  const { health } = setUp();
  const failureOf = (call: string): Outcome => ({ ok: false, kind: "server", call });
  for (const model of ["a", "a", "b", "c", "d", "e"]) health.record("p", model, failureOf("call_1"));
  expect(health.tryAcquire("p", "f")).toBe(true);
  health.record("p", "f", failureOf("call_2"));
  expect(health.tryAcquire("p", "g")).toBe(false);
});

test("the snapshot reports latencies, error rate and rate-limit hits", () => {
  const { health } = setUp();
  for (let ms = 1; ms <= 100; ms++) health.record("p", "m", { ok: true, latencyMs: ms });
  health.record("p", "m", failure);
  health.record("p", "m", { ok: false, kind: "rate_limit", retryAfterMs: 1000 });
  const [report] = health.snapshot();
  expect(report).toMatchObject({ provider: "p", model: "m", p50LatencyMs: 50, p95LatencyMs: 95, calls: 102 });
  expect(report!.errorRate).toBeCloseTo(1 / 101, 5);
});

test("however many models are named, what is kept stays bounded", () => {
  const { health } = setUp();
  for (let model = 0; model < 5000; model++) health.record("p", `m${model}`, success);
  expect(health.snapshot().length).toBe(2000);
});
