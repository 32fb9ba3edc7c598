import { expect, test } from "bun:test";
import { createHealth } from "../../../src/providers/health/health.ts";
import { logBreakers } from "../../../src/providers/health/log-breakers.ts";

test("a breaker that opens is told of once, and so is the model's return", () => {
  const clock = { at: 1_000_000, now: () => clock.at };
  const said: string[] = [];
  const say = (message: string, fields: object = {}): void => void said.push(`${message}: ${Object.values(fields).join(" ")}`);
  const health = logBreakers(createHealth({ clock, cooldownMs: 30_000 }), { info: say, warn: say });
  for (let call = 0; call < 7; call++) health.record("p", "m", { ok: false, kind: "server" });
  health.record("p", "other", { ok: true, latencyMs: 5 });
  clock.at += 30_000;
  for (let call = 0; call < 2; call++) health.record("p", "m", { ok: true, latencyMs: 5 });
  expect(said).toEqual(["A model fails and rests for a while: p m server", "A model answers again: p m"]);
});
