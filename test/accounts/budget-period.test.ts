/** A budget holds for a UTC day, a week from Monday, a month, or the key's whole life. */

import { expect, test } from "bun:test";
import { BUDGET_PERIODS, type BudgetPeriod, beginningOf, renewalOf } from "../../src/accounts/budget-period.ts";
import { changeKey, insertKey, listKeys } from "../../src/accounts/store.ts";
import { byCommand } from "../../src/history/author.ts";
import { createCalendar, DAY_MS } from "../../src/lib/clock.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { record } from "../support/known-call.ts";
import { payersOf } from "../support/payers.ts";

const newFolder = foldersOfFile();

const gateway = await gatewayOfFile();
const USD = 1_000_000_000;

test("each period begins and ends at midnight, UTC; a week on Monday", () => {
  const iso = (ms: number | null) => ms && new Date(ms).toISOString();
  const calendar = createCalendar();
  // A Sunday, the Monday after it, and a week over the end of a year.
  for (const [at, day, week, month, renewals] of [
    ["2026-11-22T23:59:59.999Z", "2026-11-22", "2026-11-16", "2026-11", ["2026-11-23", "2026-11-23", "2026-12-01"]],
    ["2026-11-23T00:00:00.000Z", "2026-11-23", "2026-11-23", "2026-11", ["2026-11-24", "2026-11-30", "2026-12-01"]],
    ["2027-01-01T12:00:00.000Z", "2027-01-01", "2026-12-28", "2027-01", ["2027-01-02", "2027-01-04", "2027-02-01"]],
  ] as const) {
    const ms = Date.parse(at);
    expect(BUDGET_PERIODS.map((period) => beginningOf(period, ms, calendar))).toEqual([day, week, month, ""]);
    expect(BUDGET_PERIODS.map((period) => iso(renewalOf(period, ms)))).toEqual([
      ...renewals.map((date) => `${date}T00:00:00.000Z`),
      null,
    ]);
  }
});

/** A Wednesday. */
const WEDNESDAY = Date.UTC(2026, 10, 25, 12);
const withBudget = (budgetPeriod: BudgetPeriod, folderGateway = gateway) =>
  folderGateway.key({ project: budgetPeriod, budgetUsd: 1, terms: { budgetPeriod } });

test("what is spent counts until the period is over, over a restart too", async () => {
  const folder = newFolder();
  let own = await startGateway({ folder });
  own.clock.stop(WEDNESDAY);
  const keys = await Promise.all(BUDGET_PERIODS.map((period) => withBudget(period, own)));
  for (const key of keys) {
    await record(own, key, { costNanoUsd: 0.25 * USD, startedAtMs: WEDNESDAY - 3 * DAY_MS });
    await record(own, key, { costNanoUsd: 0.5 * USD, startedAtMs: WEDNESDAY });
  }
  const spent = async () =>
    (await listKeys(own.platform.db)).map((key) => own.platform.budgets.spent(key) / USD).sort((a, b) => a - b);
  // The Sunday before counts towards the month and the whole.
  expect(await spent()).toEqual([0.5, 0.5, 0.75, 0.75]);
  await own.stop();
  own = await startGateway({ folder });
  own.clock.stop(WEDNESDAY);
  expect(await spent()).toEqual([0.5, 0.5, 0.75, 0.75]);
  own.clock.advance(DAY_MS);
  expect(await spent()).toEqual([0, 0.5, 0.75, 0.75]);
  own.clock.advance(4 * DAY_MS);
  expect(await spent()).toEqual([0, 0, 0.75, 0.75]);
  own.clock.advance(DAY_MS);
  expect(await spent()).toEqual([0, 0, 0, 0.75]);
  own.clock.advance(400 * DAY_MS);
  expect(await spent()).toEqual([0, 0, 0, 0.75]);
  await own.stop();
});

test("what was spent by a clock that was ahead counts when its day comes", async () => {
  const own = await startGateway();
  own.clock.stop(WEDNESDAY + 10 * DAY_MS);
  const keys = await Promise.all(BUDGET_PERIODS.map((period) => withBudget(period, own)));
  for (const key of keys) await record(own, key, { costNanoUsd: 0.5 * USD, startedAtMs: own.clock.now() });
  const records = await listKeys(own.platform.db);
  const spent = () =>
    BUDGET_PERIODS.map((at) => own.platform.budgets.spent(records.find((key) => key.budgetPeriod === at)!) / USD);
  own.clock.advance(-10 * DAY_MS);
  expect(spent()).toEqual([0, 0, 0, 0.5]);
  for (const key of keys) await record(own, key, { costNanoUsd: 0.25 * USD, startedAtMs: own.clock.now() });
  expect(spent()).toEqual([0.25, 0.25, 0.25, 0.75]);
  own.clock.advance(10 * DAY_MS);
  expect(spent()).toEqual([0.5, 0.5, 0.5, 0.75]);
  await own.stop();
});

test("a refusal tells the period, and when the budget begins anew", async () => {
  gateway.clock.stop(WEDNESDAY);
  for (const [period, words, retryAfterS] of [
    ["day", /^The daily budget of key key_\w+ \(1 USD\).*anew at 2026-11-26T00:00:00\.000Z\.$/, 12 * 3600],
    ["week", /^The weekly budget.*anew at 2026-11-30T00:00:00\.000Z\.$/, 4.5 * 86_400],
    ["month", /^The monthly budget.*anew at 2026-12-01T00:00:00\.000Z\.$/, 5.5 * 86_400],
    ["total", /^The total budget.*It does not begin anew\.$/, 86_400],
  ] as const) {
    const key = await withBudget(period);
    await record(gateway, key, { costNanoUsd: USD, startedAtMs: WEDNESDAY });
    const refused = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: "Hello" }] });
    expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([429, "false"]);
    expect(((await refused.json()) as any).error).toMatchObject({
      type: "budget_exceeded",
      message: expect.stringMatching(words),
      retry_after: retryAfterS,
    });
  }
});

test("under another period the same spending counts, and what calls under way have reserved", async () => {
  gateway.clock.stop(WEDNESDAY);
  const { db, budgets } = gateway.platform;
  const made = await withBudget("day");
  await record(gateway, made, { costNanoUsd: 0.5 * USD, startedAtMs: WEDNESDAY - DAY_MS });
  const daily = (await listKeys(db)).find(({ id }) => id === made.id)!;
  const underWay = budgets.reserve(payersOf(daily), 0.4 * USD);
  const weekly = (await changeKey(db, byCommand(WEDNESDAY), made.id, { budgetPeriod: "week" }))!;
  expect(() => budgets.reserve(payersOf(weekly), 0.2 * USD)).toThrow("0.9 USD of it is spent or reserved");
  underWay.release();
  expect(() => budgets.reserve(payersOf(weekly), 0.5 * USD).release()).not.toThrow();
});

test("a key in place of another goes on with all that it has spent", async () => {
  gateway.clock.stop(WEDNESDAY);
  const { db, budgets } = gateway.platform;
  const made = await withBudget("total");
  await record(gateway, made, { costNanoUsd: 0.75 * USD, startedAtMs: WEDNESDAY - 300 * DAY_MS });
  const old = (await listKeys(db)).find(({ id }) => id === made.id)!;
  const { record: anew } = await insertKey(db, byCommand(WEDNESDAY), { ...old, replaces: old.id });
  expect(budgets.spent(anew)).toBe(0.75 * USD);
});
