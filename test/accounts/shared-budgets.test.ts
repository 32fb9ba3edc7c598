/** Budgets of a project, over all of its keys, and of each of its users. */

import { expect, test } from "bun:test";
import type { ApiKey } from "../../src/accounts/api-key.ts";
import type { Project, ProjectSettings } from "../../src/accounts/project.ts";
import { deleteSomeSpendingOfUsers, deletingUserSpendingBefore } from "../../src/accounts/spending-store.ts";
import { changeProject } from "../../src/accounts/store.ts";
import { inSteps } from "../../src/database/in-steps.ts";
import { byCommand } from "../../src/history/author.ts";
import { DAY_MS, utcDay } from "../../src/lib/clock.ts";
import { correctCost } from "../../src/logs/amend/correct-cost.ts";
import { addUpCalls } from "../../src/logs/sums/add-up.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, record } from "../support/known-call.ts";
import { payersOf } from "../support/payers.ts";

const newFolder = foldersOfFile();
const gateway = await gatewayOfFile();
const USD = 1_000_000_000;
const month = (usd: number) => ({ nanoUsd: usd * USD, period: "month" }) as const;

const set = async ({ platform }: Gateway, { id }: Project, settings: ProjectSettings): Promise<void> => {
  await changeProject(platform.db, byCommand(platform.clock.now()), id, () => ({ settings }));
  platform.accounts.forget();
};

const draw = (key: TestKey, more: object = {}, own = gateway) =>
  own.send(key, "POST", "/v1/images/generations", { prompt: "a red fox", ...more });
/** A picture costs 0.04 USD. */
const PICTURE = 0.04;

const outcome = async (response: Response) => {
  const { error } = (await response.json()) as any;
  return error === undefined ? response.status : [response.status, error.type, error.message];
};

test("a project's budget holds over all of its keys, also at once, and for live and test keys apart", async () => {
  const settings = { budget: month(3 * PICTURE) };
  const [one, other, live] = [
    await gateway.key({ project: "shared", settings }),
    await gateway.key({ project: "shared" }),
    await gateway.key({ project: "shared", mode: "live" }),
  ];
  const answers = await Promise.all([one, other, one, other, one].map((key) => draw(key)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await outcome(await draw(other))).toEqual([
    429,
    "budget_exceeded",
    expect.stringContaining("The monthly budget of project shared (0.12 USD) does not cover this call; 0.12 USD of it is spent"),
  ]);
  const usage = await getJson(gateway, one, "/v1/usage");
  expect(usage.project_budget).toEqual({ usd: 0.12, period: "month", used_usd: 0.12, resets_at: "2026-12-01T00:00:00.000Z" });
  expect(usage.user_budget).toBeNull();
  expect((await getJson(gateway, live, "/v1/usage")).project_budget.used_usd).toBe(0);
  expect((await getJson(gateway, one, "/v1/usage?mode=live")).project_budget.used_usd).toBe(0);
});

test("a project's budget counts what was spent before it was set, by the same sums as its usage, over a restart too", async () => {
  const folder = newFolder();
  let own = await startGateway({ folder });
  const key = await own.key({ project: "late" });
  await draw(key, {}, own);
  await addUpCalls(own.platform.db);
  await draw(key, {}, own);
  await record(own, key, { startedAtMs: own.clock.now() - 40 * DAY_MS, costNanoUsd: 5 * USD });
  await record(own, key, { startedAtMs: own.clock.now(), mode: "live", costNanoUsd: 5 * USD });
  await set(own, key.project, { budget: month(4 * PICTURE) });
  const used = async () => {
    const { project_budget, month: sums } = await getJson(own, key, "/v1/usage");
    expect(project_budget.used_usd).toBe(sums.cost_usd);
    return project_budget.used_usd;
  };
  // The second picture is not in the sums yet.
  expect((await draw(key, {}, own)).status).toBe(200);
  expect(await used()).toBe(3 * PICTURE);
  await own.stop();
  own = await startGateway({ folder });
  expect((await draw(key, {}, own)).status).toBe(200);
  expect((await draw(key, {}, own)).status).toBe(429);
  await set(own, key.project, {});
  expect((await draw(key, {}, own)).status).toBe(200);
  await own.stop();
});

test("each user has a budget, whatever the route calls him; who is not named has none", async () => {
  const key = await gateway.key({ project: "of users", settings: { userBudget: month(2 * PICTURE) } });
  expect((await draw(key, { user: "ada" })).status).toBe(200);
  expect((await draw(key, { user: "ada" })).status).toBe(200);
  expect(await outcome(await draw(key, { user: "ada" }))).toEqual([
    429,
    "budget_exceeded",
    expect.stringContaining('The monthly budget of user "ada" (0.08 USD) does not cover this call; 0.08 USD of it is spent'),
  ]);
  const chat = { model: "gpt-4o", max_tokens: 20, messages: [{ role: "user", content: "Name three signals." }] };
  for (const [path, body, status] of [
    ["/v1/chat", { ...chat, user: "ada" }, 429],
    ["/v1/chat/stream", { ...chat, metadata: { user_id: "ada" } }, 429],
    ["/v1/messages", { ...chat, metadata: { user_id: "ada" } }, 429],
    ["/v1/responses", { model: "gpt-4o", input: "Name three signals.", user: "ada" }, 429],
    ["/v1/audio/speech", { model: "tts-1", voice: "alloy", input: "Mind the gap.", user: "ada" }, 429],
    ["/v1/embeddings", { model: "text-embedding-3-small", input: "signals", user: "ada" }, 429],
    ["/v1/tools/search", { query: "signals", user: "ada" }, 429],
    ["/v1/chat", { ...chat, user: "grace" }, 200],
    ["/v1/chat", chat, 200],
    ["/v1/images/generations", { prompt: "a red fox" }, 200],
  ] as const)
    expect([path, (await gateway.send(key, "POST", path, body)).status]).toEqual([path, status]);
  const budgetOf = async (user: string) => (await getJson(gateway, key, `/v1/usage?user_id=${user}`)).user_budget;
  expect(await budgetOf("ada")).toMatchObject({ usd: 0.08, period: "month", used_usd: 0.08 });
  expect((await budgetOf("grace")).used_usd).toBeGreaterThan(0);
  expect(await budgetOf("nobody")).toMatchObject({ used_usd: 0 });
});

test("parallel calls of a user cannot overdraw, and nothing stays reserved of what failed", async () => {
  const key = await gateway.key({ project: "at once", settings: { userBudget: month(3 * PICTURE) } });
  const failed = await draw(key, { user: "ada", prompt: "a red fox [[sandbox:refuse]]" });
  expect(failed.status).toBe(400);
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => draw(key, { user: "ada" })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
});

test("of users who are refused, or asked about, nothing stays in memory: what they have spent is read again", async () => {
  const key = await gateway.key({ project: "read again", settings: { userBudget: month(PICTURE) } });
  const chat = { model: "gpt-4o", max_tokens: 20, messages: [{ role: "user", content: "Name three signals." }], user: "ada" };
  const refused = async () => [
    (await draw(key, { user: "ada" })).status,
    (await gateway.send(key, "POST", "/v1/chat", chat)).status,
  ];
  expect((await draw(key, { user: "ada" })).status).toBe(200);
  expect(await refused()).toEqual([429, 429]);
  expect((await getJson(gateway, key, "/v1/usage?user_id=ada")).user_budget.used_usd).toBe(PICTURE);
  await inSteps(gateway.platform.db, deletingUserSpendingBefore(gateway.platform.db, "2027"));
  expect((await draw(key, { user: "ada" })).status).toBe(200);
});

test("a user's budget begins anew with its period, is corrected with a call's price, and its past is deleted", async () => {
  const key = await gateway.key({ project: "daily", settings: { userBudget: { nanoUsd: PICTURE * USD, period: "day" } } });
  const used = async () => (await getJson(gateway, key, "/v1/usage?user_id=ada")).user_budget.used_usd;
  const [call] = await record(gateway, key, { userId: "ada", startedAtMs: gateway.clock.now(), costNanoUsd: PICTURE * USD });
  expect([await used(), (await draw(key, { user: "ada" })).status]).toEqual([PICTURE, 429]);
  await correctCost(gateway.platform, call!.id, 0);
  expect([await used(), (await draw(key, { user: "ada" })).status]).toEqual([0, 200]);
  expect((await draw(key, { user: "ada" })).status).toBe(429);
  gateway.clock.advance(DAY_MS);
  expect([await used(), (await draw(key, { user: "ada" })).status]).toEqual([0, 200]);
  const { db } = gateway.platform;
  const daysOf = () => db.all<{ day: string }>("SELECT day FROM user_spend WHERE project_id = ?", key.project.id);
  expect(daysOf().length).toBe(2);
  await inSteps(db, deletingUserSpendingBefore(db, utcDay(gateway.clock.now())));
  expect(daysOf()).toEqual([{ day: utcDay(gateway.clock.now()) }]);
});

test("of a day's budgets no other day's calls are taken, be they in the sums or not; of a total one all are", async () => {
  const midnight = Date.UTC(2026, 10, 20);
  gateway.clock.stop(midnight + DAY_MS / 2);
  const userBudget = { nanoUsd: USD, period: "day" } as const;
  const key = await gateway.key({ project: "day by day", mode: "live", settings: { userBudget } });
  const spent = (period: "day" | "total") => {
    const account = { id: key.id, projectId: key.project.id, budgetNanoUsd: null, budgetPeriod: "month" } as ApiKey;
    const payers = payersOf(account, { budget: { nanoUsd: USD, period }, userBudget }, "ada");
    const { project, user } = gateway.platform.budgets.shared(payers);
    return [project!.spentNanoUsd, user!.spentNanoUsd];
  };
  // The last as by a clock that was ahead.
  for (const [startedAtMs, costNanoUsd] of [
    [midnight - 1, 1],
    [midnight, 20],
    [midnight + DAY_MS - 1, 300],
    [midnight + DAY_MS, 4_000],
  ] as const)
    await record(gateway, key, { mode: "live", userId: "ada", startedAtMs, costNanoUsd });
  expect([spent("total"), spent("day")]).toEqual([
    [4_321, 320],
    [320, 320],
  ]);
  await addUpCalls(gateway.platform.db);
  expect([spent("total"), spent("day")]).toEqual([
    [4_321, 320],
    [320, 320],
  ]);
});

test("what a user's call has reserved is spoken for while others of his begin and end", () => {
  const { budgets } = gateway.platform;
  const key = { id: "key_of_users", projectId: "of users", budgetNanoUsd: null, budgetPeriod: "month" } as ApiKey;
  const payers = payersOf(key, { userBudget: { nanoUsd: 100, period: "month" } }, "ada");
  const [first, second] = [budgets.reserve(payers, 60), budgets.reserve(payers, 40)];
  second.release();
  expect(() => budgets.reserve(payers, 41)).toThrow('user "ada"');
  expect([first.raise(101), first.covers(101), first.covers(100), first.raise(100)]).toEqual([false, false, true, true]);
  first.release();
  expect(() => budgets.reserve(payers, 100).release()).not.toThrow();
});

test("the key's own budget, the project's and the user's hold together: the call needs room in each", async () => {
  const settings = { budget: month(1), userBudget: month(1) };
  const poor = await gateway.key({ project: "together", settings, budgetUsd: PICTURE });
  const rich = await gateway.key({ project: "together" });
  expect((await draw(poor, { user: "ada" })).status).toBe(200);
  expect(await outcome(await draw(poor, { user: "ada" }))).toEqual([429, "budget_exceeded", expect.stringContaining(poor.id)]);
  expect((await draw(rich, { user: "ada" })).status).toBe(200);
  const { project_budget, user_budget } = await getJson(gateway, rich, "/v1/usage?user_id=ada");
  expect([project_budget.used_usd, user_budget.used_usd]).toEqual([2 * PICTURE, 2 * PICTURE]);
});

test("what many users spent long ago is deleted in steps, and other writes come between them", async () => {
  const { db } = gateway.platform;
  const [mine, other] = [await gateway.key({ project: "crowded" }), await gateway.key({ project: "crowded, too" })];
  const DAYS = ["2026-09-30", "2026-10-01", "2026-11-20"];
  await db.write((sql) => {
    for (const { project } of [mine, other])
      for (let user = 0; user < 1_500; user++)
        for (const day of DAYS)
          sql.run("INSERT INTO user_spend VALUES (?, 'live', ?, ?, 1)", project.id, `user-${String(user).padStart(4, "0")}`, day);
  });
  const left = () =>
    db.all<{ day: string; rows: number }>(
      "SELECT day, count(*) AS rows FROM user_spend WHERE project_id IN (?, ?) GROUP BY day ORDER BY day",
      mine.project.id,
      other.project.id,
    );
  const deleting = inSteps(db, deletingUserSpendingBefore(db, "2026-11-01"));
  const between = await db.write(() => left());
  await deleting;
  expect(between.map(({ day }) => day)).toEqual(DAYS);
  expect(left()).toEqual([{ day: "2026-11-20", rows: 3_000 }]);

  const move = "UPDATE user_spend SET project_id = ?, mode = 'test' WHERE project_id = ?";
  await db.write((sql) => void sql.run(move, mine.project.id, other.project.id));
  const steps = [];
  for (let some = true; some; steps.push(some)) some = await deleteSomeSpendingOfUsers(db, mine.project.id);
  expect([steps, left()]).toEqual([[true, true, false], []]);
});
