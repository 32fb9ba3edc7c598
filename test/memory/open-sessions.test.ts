/** A session without a turn stays for as long as any call is at work on it, and no longer. */
import { expect, test } from "bun:test";
import { appendTurn } from "../../src/memory/message-store.ts";
import { createOpenSessions } from "../../src/memory/open-sessions.ts";
import { openSession } from "../../src/memory/store.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const projectId = (await gateway.key()).project.id;

const holding = () => ({ most: 10, nowMs: gateway.clock.now(), expiresAtMs: gateway.clock.now() + 86_400_000 });
const held = () =>
  gateway.platform.db.all<{ session_id: string }>("SELECT session_id FROM memory_sessions").map(({ session_id }) => session_id);

test("the last call takes it along, unless one has left a turn", async () => {
  const { db } = gateway.platform;
  const sessions = createOpenSessions(db);
  for (const name of ["shared", "used"]) {
    sessions.enter(`first ${name}`, projectId, name);
    await openSession(db, projectId, name, holding());
    sessions.enter(`second ${name}`, projectId, name);
    await openSession(db, projectId, name, holding());
  }
  await sessions.leave("first shared");
  await sessions.leave("first shared");
  expect(held()).toEqual(["shared", "used"]);
  const turn = { holding: holding(), userId: null, messages: () => [], tailLength: 0 };
  await appendTurn(db, projectId, "used", turn);
  await sessions.leave("first used");
  await sessions.leave("second used");
  await sessions.leave("second shared");
  expect(held()).toEqual(["used"]);
});

test("a call that opens it anew while it goes finds one of its own", async () => {
  const { db } = gateway.platform;
  const sessions = createOpenSessions(db);
  sessions.enter("failed", projectId, "contested");
  await openSession(db, projectId, "contested", holding());
  const left = sessions.leave("failed");
  sessions.enter("next", projectId, "contested");
  const opened = openSession(db, projectId, "contested", holding());
  await Promise.all([left, opened]);
  expect(held()).toContain("contested");
  await sessions.leave("next");
  expect(held()).not.toContain("contested");
});
