/** Large files, long sessions and stored answers are deleted a part at a time, whatever deletes them: no other request waits for a long commit. */

import { expect, test } from "bun:test";
import { deleteProject } from "../../../src/delete-project.ts";
import { keepFile, sweepFiles } from "../../../src/files/keep-file.ts";
import { byCommand } from "../../../src/history/author.ts";
import { beginIdempotent, deleteSomeOldAnswers, finishIdempotent } from "../../../src/http/idempotency/store.ts";
import { forgetUser } from "../../../src/logs/forget/forget-user.ts";
import { sweepSessions } from "../../../src/memory/forget-memory.ts";
import { appendTurn } from "../../../src/memory/message-store.ts";
import type { TestKey } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { record } from "../../support/known-call.ts";

const DAY = 86_400_000;
const gateway = await gatewayOfFile();
const { platform } = gateway;
// The only project cannot be deleted.
await gateway.key({ project: "that stays" });
const countsOf = (sql: Pick<typeof platform.db, "get">) =>
  sql.get<{ pieces: number; messages: number; answers: number }>(
    `SELECT (SELECT count(*) FROM file_pieces) AS pieces, (SELECT count(*) FROM memory_messages) AS messages,
       (SELECT count(*) FROM idempotency_keys) AS answers`,
  )!;
/** After each commit. */
const counts: ReturnType<typeof countsOf>[] = [];
platform.db.onCommit((sql) => void counts.push(countsOf(sql)));

/** Two files of five and a half megabytes, two sessions of 1,200 messages, and six stored answers of 1.5 megabytes. */
const fill = async (key: TestKey): Promise<void> => {
  const { project } = key;
  const now = gateway.clock.now();
  const message = { message: { role: "user" as const, content: "All lines are clear." }, tokens: 5 };
  for (const { id } of await record(gateway, key, ...Array(6).fill({ userId: "ann", startedAtMs: now }))) {
    const place = { projectId: project.id, route: "POST /v1/chat", key: id };
    await beginIdempotent(platform.db, place, { bodyHash: "", owner: id, now, longestRunMs: DAY, underWay: new Set([id]) });
    await finishIdempotent(platform.db, place, id, { status: 200, headers: [], body: new Uint8Array(1_500_000) });
  }
  for (const name of ["one", "two"]) {
    await keepFile(platform, {
      ...{ projectId: project.id, userId: "ann", mediaType: "video/mp4", label: "video", extension: "mp4" },
      ...{ bytes: new Uint8Array(5_500_000), lifetimeMs: DAY },
    });
    await appendTurn(platform.db, project.id, name, {
      holding: { most: 10, nowMs: now, expiresAtMs: now + DAY },
      userId: "ann",
      messages: () => Array<typeof message>(1_200).fill(message),
      tailLength: 0,
    });
  }
};

test.each<[string, (key: TestKey) => Promise<unknown>]>([
  ["a forgotten user", ({ project }) => forgetUser(platform, byCommand(gateway.clock.now()), project.id, "ann")],
  [
    "a deleted project",
    async ({ project }) => {
      await deleteProject(platform, byCommand(gateway.clock.now()), project.id);
      await platform.background.idle();
      // The job's last look, half an hour later, must not fall into another test.
      gateway.clock.advance(DAY);
      platform.background.wake();
      await platform.background.idle();
    },
  ],
  [
    "what has expired",
    async () => {
      gateway.clock.advance(2 * DAY);
      await sweepFiles(platform);
      await sweepSessions(platform);
      while (await deleteSomeOldAnswers(platform.db, gateway.clock.now()));
    },
  ],
])("of %s", async (name, forget) => {
  const key = await gateway.key({ project: name });
  await fill(key);
  expect(countsOf(platform.db)).toEqual({ pieces: 12, messages: 2_400, answers: 6 });
  counts.length = 0;
  await forget(key);
  expect(countsOf(platform.db)).toEqual({ pieces: 0, messages: 0, answers: 0 });
  const largestStep = (of: "pieces" | "messages" | "answers") =>
    Math.max(...counts.slice(1).map((count, n) => counts[n]![of] - count[of]));
  expect([largestStep("pieces"), largestStep("messages"), largestStep("answers")]).toEqual([2, 500, 2]);
});
