/** Warnings and errors of the process log reach a chat channel. */

import { afterAll, expect, test } from "bun:test";
import { createProcessLog, type LogEntry } from "../../src/process-log.ts";
import { createAlerts } from "../../src/telemetry/alerts.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { record, spentNanoUsd } from "../support/known-call.ts";

type Posted = { text: string; content: string; level: string; message: string; fields: Record<string, unknown> };
const posted: Posted[] = [];
let status = 200;
const channel = Bun.serve({
  port: 0,
  async fetch(request) {
    posted.push((await request.json()) as Posted);
    return new Response("ok", { status });
  },
});
afterAll(() => channel.stop(true));

const entry = (message: string, fields = {}) => ({ time: "2026-11-23T08:00:00.000Z", level: "warn" as const, message, fields });
const setUp = (url = channel.url.href) => {
  let now = 1_000_000;
  const failures: string[] = [];
  posted.length = 0;
  status = 200;
  const alerts = createAlerts(url, { now: () => now }, (reason) => failures.push(reason));
  return { alerts, failures, passMinutes: (minutes: number) => (now += minutes * 60_000) };
};

test("a key that has used most of its budget is told of, with what it spent", async () => {
  const gateway = await gatewayOfFile({ environment: { LOG_LEVEL: "error", SIGNALBOX_ALERT_URL: channel.url.href } });
  posted.length = 0;
  const key = await gateway.key({ budgetUsd: 0.01 });
  // Budgets are known from their first use on, which in a real call is its reservation.
  await spentNanoUsd(gateway, key);
  await record(gateway, key, { startedAtMs: gateway.clock.now(), costNanoUsd: 9_000_000 });
  await gateway.platform.telemetry.close();
  expect(posted[0]).toMatchObject({ level: "warn", fields: { key_id: key.id, budget_usd: 0.01, spent_usd: 0.009 } });
  expect(posted[0]!.text).toStartWith("Signalbox: A key");
  expect(posted[0]!.content).toBe(posted[0]!.text);
});

test("what was told is not told again for ten minutes, but what is about something else is", async () => {
  const { alerts, passMinutes } = setUp();
  const rests = (model: string, id: string) => alerts.tell(entry("A model rests", { model, request_id: id }));
  rests("one", "a");
  rests("one", "b");
  rests("two", "c");
  passMinutes(11);
  rests("one", "d");
  await alerts.close();
  expect(posted.map(({ fields }) => fields["request_id"]).sort()).toEqual(["a", "c", "d"]);
});

test("of two projects whose budgets are used up, both are told of, and live and test keys apart", async () => {
  const gateway = await gatewayOfFile({ environment: { LOG_LEVEL: "error", SIGNALBOX_ALERT_URL: channel.url.href } });
  posted.length = 0;
  const settings = { budget: { nanoUsd: 10_000_000, period: "month" as const } };
  const spenders = [
    { project: "one", mode: "test" },
    { project: "one", mode: "live" },
    { project: "two", mode: "test" },
  ] as const;
  for (const { project, mode } of spenders) {
    const key = await gateway.key({ project, mode, settings });
    await spentNanoUsd(gateway, key);
    await record(gateway, key, { mode, startedAtMs: gateway.clock.now(), costNanoUsd: 10_000_000 });
  }
  await gateway.platform.telemetry.close();
  expect(posted.map(({ message, fields }) => [message, fields["mode"]]).sort()).toEqual(
    ["live", "test", "test"].map((mode) => ["A project's budget is used up", mode]),
  );
});

test("a flood of different ones ends after twenty", async () => {
  const { alerts } = setUp();
  for (let number = 0; number < 100; number++) alerts.tell(entry(`Trouble ${number}`));
  await alerts.close();
  expect(posted).toHaveLength(20);
});

test("no stack and no empty field is in the words, which are short enough for every channel", async () => {
  const { alerts } = setUp();
  alerts.tell(entry("It failed", { error: "TypeError", stack: "at /srv/app.ts", reason: null, detail: "x".repeat(5_000) }));
  await alerts.close();
  const { text } = posted[0]!;
  expect([text.length, text.includes("/srv"), text.includes("reason")]).toEqual([1_500, false, false]);
  expect(text).toStartWith("Signalbox: It failed (error: TypeError, detail: xxx");
});

test("a channel that refuses is told of once, until it takes one again", async () => {
  const { alerts, failures } = setUp();
  const tell = async (message: string) => {
    alerts.tell(entry(message));
    await alerts.close();
  };
  status = 404;
  await tell("one");
  await tell("two");
  status = 200;
  await tell("three");
  status = 500;
  await tell("four");
  expect(failures).toEqual(["status 404", "status 500"]);
});

test("a channel that is not there keeps nobody waiting", async () => {
  const { alerts, failures } = setUp("http://127.0.0.1:1/");
  alerts.tell(entry("one"));
  await alerts.close();
  expect(failures).toHaveLength(1);
});

test("warnings and errors are told, also those that are not written; a silent log tells nobody anything", () => {
  const told: LogEntry[] = [];
  for (const lowest of ["error", "silent"] as const) {
    const log = createProcessLog(
      lowest,
      () => 0,
      (entry) => told.push(entry),
    );
    log.info("A backup was made");
    log.warn("A model fails and rests for a while", { model: "gpt-4o" });
  }
  const message = "A model fails and rests for a while";
  expect(told).toEqual([{ time: "1970-01-01T00:00:00.000Z", level: "warn", message, fields: { model: "gpt-4o" } }]);
});
