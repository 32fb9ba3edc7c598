import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "../../../src/database/database.ts";
import { insertFile } from "../../../src/files/store.ts";
import { byCommand } from "../../../src/history/author.ts";
import { correctCost } from "../../../src/logs/amend/correct-cost.ts";
import { applyRetention, retentionDays } from "../../../src/logs/forget/apply-retention.ts";
import { batchAfter } from "../../../src/logs/forget/delete-in-batches.ts";
import { deleteOldSums } from "../../../src/logs/forget/forget-store.ts";
import { forgetUser } from "../../../src/logs/forget/forget-user.ts";
import { makeSegments } from "../../../src/logs/segments/make-segments.ts";
import { addUpCalls } from "../../../src/logs/sums/add-up.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { getJson, record } from "../../support/known-call.ts";

const DAY = 86_400_000;

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "forgetting" });

/** Everything the program keeps on disk: the database and its write-ahead log. */
const onDisk = (): Buffer =>
  Buffer.concat(
    readdirSync(gateway.folder)
      .filter((name) => name.startsWith("signalbox.db"))
      .map((name) => readFileSync(join(gateway.folder, name))),
  );

const keepPicture = (id: string, projectId: string, userId: string): Promise<void> => {
  const createdAtMs = gateway.clock.now();
  const picture = { mediaType: "image/png", name: "a.png", sizeBytes: 3, createdAtMs, expiresAtMs: createdAtMs + DAY };
  return insertFile(gateway.platform.db, { id, projectId, userId, ...picture }, new Uint8Array([1, 2, 3]));
};

test("a forgotten user's calls, files and stored answers are gone, also from the bytes on disk", async () => {
  const key = await gateway.key({ project: "forgetting a user" });
  const now = gateway.clock.now();
  // The user's id is stored as it is: looking for it finds what was only unlinked.
  const userId = "user-who-wants-to-be-forgotten";
  await record(
    gateway,
    key,
    ...Array.from({ length: 450 }, (_, n) => ({
      id: `call_user_${n}`,
      userId,
      startedAtMs: now - n * 1_000,
      promptText: `secret ${n}`,
    })),
    { id: "call_other", userId: "someone else", startedAtMs: now },
  );
  await keepPicture("file_user", key.project.id, userId);
  await gateway.platform.db.write((sql) => {
    const insert = (owner: string) =>
      sql.run(
        "INSERT INTO idempotency_keys (project_id, route, idempotency_key, body_hash, state, owner, created_at) VALUES (?, 'POST /v1/chat', ?, 'x', 'done', ?, ?)",
        key.project.id,
        owner,
        owner,
        now,
      );
    insert("call_user_7");
    insert("call_other");
  });
  expect(onDisk().includes(userId)).toBe(true);

  const response = await gateway.send(key, "DELETE", `/v1/logs/user/${userId}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ user_id: userId, deleted: 450 });

  const { db } = gateway.platform;
  const count = (of: string, value: string) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${of} = ?`, value)!.n;
  const { id } = key.project;
  expect([count("calls WHERE project_id", id), count("files WHERE project_id", id)]).toEqual([1, 0]);
  const details = "call_details LEFT JOIN calls ON seq = call_seq WHERE coalesce(project_id, 'nobody')";
  expect([count(details, id), count(details, "nobody")]).toEqual([1, 0]);
  expect(count("file_pieces WHERE file_id", "file_user")).toBe(0);
  expect(db.all<{ owner: string }>("SELECT owner FROM idempotency_keys").map(({ owner }) => owner)).toEqual(["call_other"]);
  expect(onDisk().includes(userId)).toBe(false);
  expect((await gateway.send(key, "GET", "/v1/logs/call_user_3")).status).toBe(404);
  expect((await getJson(gateway, key, "/v1/logs")).total).toBe(1);
  // The log no longer counts them; the bill does.
  expect((await getJson(gateway, key, "/v1/logs/summary")).summary).toMatchObject({ total_calls: 1, total_cost_usd: 0.001 });
  expect(db.get<{ cost: number }>("SELECT sum(cost_nano_usd) AS cost FROM call_days WHERE project_id = ?", id)!.cost).toBe(
    451_000_000,
  );
});

test("nothing of a forgotten user stays in what the log's columns were made anew of", async () => {
  const own = await gateway.key({ project: "forgetting columns", tier: "free" });
  const now = gateway.clock.now();
  const userId = "user-who-stood-in-a-column";
  // What retention, a late call and a cost put right take away is made anew, and the user's id stood in each of them.
  await record(
    gateway,
    own,
    ...Array.from({ length: 900 }, (_, n) => ({
      startedAtMs: now - 7.5 * DAY + n * DAY * 0.005,
      userId: `${userId} ${1000 + n}`,
    })),
    { id: "call_put_right", startedAtMs: now - 5 * DAY, userId },
  );
  await makeSegments(gateway.platform, 300);
  await correctCost(gateway.platform, "call_put_right", 7);
  await makeSegments(gateway.platform, 300);
  await record(gateway, own, { startedAtMs: now - 4 * DAY, userId });
  await makeSegments(gateway.platform, 300);
  await applyRetention(gateway.platform);
  await makeSegments(gateway.platform, 300);
  const users = gateway.platform.db.all<{ id: string }>(
    "SELECT DISTINCT user_id AS id FROM calls WHERE project_id = ? AND user_id IS NOT NULL",
    own.project.id,
  );
  expect(users.length).toBeGreaterThan(500);
  for (const { id } of users) await forgetUser(gateway.platform, byCommand(gateway.clock.now()), own.project.id, id);
  while (!(await gateway.platform.db.emptyWal())) await Bun.sleep(1);
  const bytes = onDisk();
  expect(users.filter(({ id }) => bytes.includes(id))).toEqual([]);
}, 60_000);

test("forgetting is confined to the project and answers 0 for a user it does not know", async () => {
  const [owner, stranger] = [await gateway.key({ project: "forgetting owner" }), await gateway.key({ project: "stranger" })];
  const { db } = gateway.platform;
  const now = gateway.clock.now();
  await record(gateway, owner, { userId: "someone else", startedAtMs: now });
  await keepPicture("file_other", owner.project.id, "someone else");
  const response = await gateway.send(stranger, "DELETE", "/v1/logs/user/someone%20else");
  expect(await response.json()).toEqual({ user_id: "someone else", deleted: 0 });
  expect((await getJson(gateway, owner, "/v1/logs")).total).toBe(1);
  expect(db.get("SELECT 1 FROM file_pieces WHERE file_id = 'file_other'")).toBeDefined();
});

test("calls older than the tier keeps them go, what they cost stays counted", async () => {
  const free = await gateway.key({ project: "free", tier: "free" });
  const now = gateway.clock.now();
  const ages = [0.5, 6.9, 7.1, 40].flatMap((age) => Array<number>(150).fill(age));
  await record(gateway, free, ...ages.map((age) => ({ startedAtMs: now - age * DAY })));
  expect(await applyRetention(gateway.platform)).toBe(300);
  expect((await getJson(gateway, free, "/v1/logs?start_date=2020-01-01&limit=1")).total).toBe(300);
  const sums = gateway.platform.db.all<{ gone: number; calls: number; cost: number }>(
    "SELECT gone, sum(calls) AS calls, sum(cost_nano_usd) AS cost FROM call_days WHERE project_id = ? GROUP BY gone",
    free.project.id,
  );
  expect(sums).toEqual([
    { gone: 0, calls: 300, cost: 300_000_000 },
    { gone: 1, calls: 300, cost: 300_000_000 },
  ]);
});

test("retention gives space back to the disk", async () => {
  const bulky = await gateway.key({ project: "bulky", tier: "free" });
  const startedAtMs = gateway.clock.now() - 8 * DAY;
  const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(24_000))).toString("base64");
  await record(gateway, bulky, ...Array.from({ length: 600 }, () => ({ startedAtMs, promptText: noise() })));
  const fileSize = async () => {
    // The database moves its log by itself too, and only one may at a time.
    while (!(await gateway.platform.db.emptyWal())) await Bun.sleep(1);
    return statSync(gateway.platform.db.path).size;
  };
  const before = await fileSize();
  expect(await applyRetention(gateway.platform)).toBe(600);
  expect(before - (await fileSize())).toBeGreaterThan(4_000_000);
}, 20_000);

test("a project may keep its log for less than its tier would, never for longer", () => {
  const project = { ...key.project };
  expect(retentionDays({ ...project, tier: "pro", settings: {} })).toBe(90);
  expect(retentionDays({ ...project, tier: "pro", settings: { logRetentionDays: 10 } })).toBe(10);
  expect(retentionDays({ ...project, tier: "pro", settings: { logRetentionDays: 1_000 } })).toBe(90);
  expect(retentionDays({ ...project, tier: "enterprise", settings: { logRetentionDays: 1_000 } })).toBe(730);
});

test("sums that no question can reach any more go by and by, a few hours and days at once", async () => {
  const { db, clock } = gateway.platform;
  const old = await gateway.key({ project: "old sums" });
  const today = Math.floor(clock.now() / DAY);
  await record(gateway, old, { startedAtMs: clock.now() });
  await addUpCalls(db);
  const copySum = (sql: Sql, table: string, unit: string, value: number) =>
    sql.run(
      `INSERT INTO ${table} SELECT ${sql
        .all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
        .map(({ name }) => (name === unit ? String(value) : name))
        .join(", ")} FROM ${table} WHERE project_id = ? AND ${unit} > ? ORDER BY ${unit} DESC LIMIT 1`,
      old.project.id,
      value,
    );
  await db.write((sql) => {
    for (let n = 0; n < 30; n++) {
      copySum(sql, "call_days", "day", today - 1_200 - n);
      copySum(sql, "call_hours", "hour", (today - 200) * 24 - n);
      copySum(sql, "attempt_hours", "hour", (today - 200) * 24 - n);
    }
  });
  const held = () =>
    ["call_days", "call_hours", "attempt_hours"].map(
      (table) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE project_id = ?`, old.project.id)!.n,
    );
  expect(held()).toEqual([31, 31, 31]);
  const once = () => deleteOldSums(db, old.project.id, clock.now() - 1_100 * DAY, clock.now() - 190 * DAY);
  expect(await once()).toBe(true);
  expect(held()).toEqual([27, 7, 7]);
  await applyRetention(gateway.platform);
  expect(held()).toEqual([1, 1, 1]);
  expect(await once()).toBe(false);
  // Of two neighbouring days one is over: what a batch takes ends between them.
  await db.write((sql) => {
    for (const day of [today - 1_101, today - 1_100, today - 1_099]) copySum(sql, "call_days", "day", day);
  });
  expect(await once()).toBe(true);
  expect(held()).toEqual([3, 1, 1]);
});

test("a batch that held the serving thread for long is followed by a smaller one", () => {
  expect(batchAfter(50, 8)).toBe(25);
  expect(batchAfter(50, 400)).toBe(5);
  expect(batchAfter(50, 3.2)).toBe(63);
  expect(batchAfter(50, 0)).toBe(100);
  expect(batchAfter(200, 1)).toBe(200);
});

test("a user whose id means something else in a path is forgotten by the query", async () => {
  for (const userId of ["..", ".", "team/anna", "50 %"]) {
    const id = `call_${crypto.randomUUID()}`;
    await record(gateway, key, { id, userId, startedAtMs: gateway.clock.now() });
    const response = await gateway.send(key, "DELETE", `/v1/logs/user?user_id=${encodeURIComponent(userId)}`);
    expect([response.status, (await response.json()) as unknown]).toEqual([200, { user_id: userId, deleted: 1 }]);
    expect((await gateway.send(key, "GET", `/v1/logs/${id}`)).status).toBe(404);
  }
  for (const query of ["", "?user_id="]) {
    const response = await gateway.send(key, "DELETE", `/v1/logs/user${query}`);
    expect([response.status, ((await response.json()) as any).error.param]).toEqual([400, "user_id"]);
  }
});
