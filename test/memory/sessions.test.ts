/** Sessions over many turns: nothing said is lost, tiers hold, and what is deleted is gone. */

import { describe, expect, test } from "bun:test";
import { foldSession } from "../../src/memory/fold-session.ts";
import { sweepSessions } from "../../src/memory/forget-memory.ts";
import { rememberTurn } from "../../src/memory/remember-turn.ts";
import { findSession } from "../../src/memory/store.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import type { TestKey } from "../support/gateway.ts";
import { assistant, sessionsOfFile, texts, user } from "./sessions-of-file.ts";

const { gateway, key, project, newName, say, recall, requireSession, storedMessages } = await sessionsOfFile();

describe("turns", () => {
  test("come back in order, in front of the next call", async () => {
    const name = newName();
    expect(await recall(name)).toEqual([]);
    await say(name, "one");
    await say(name, "two");
    expect(texts(await recall(name))).toEqual(["one", "answer to one", "two", "answer to two"]);
    expect(texts(await recall(name, { includeLastN: 1 }))).toEqual(["answer to two"]);
    const again = { includeLastN: 1, messages: [user("two"), assistant("answer to two"), user("next")] };
    expect(texts(await recall(name, again))).toEqual(["answer to one"]);
  });

  test("of simultaneous calls all stay, none mixed with another", async () => {
    const name = newName();
    await recall(name);
    await Promise.all(Array.from({ length: 50 }, (_, n) => say(name, `q${n}`, `a${n}`)));
    const messages = texts((await storedMessages(name)).map(({ message }) => message)) as string[];
    expect(messages).toHaveLength(100);
    for (let at = 0; at < 100; at += 2) expect(messages[at + 1]).toBe(messages[at]!.replace("q", "a"));
    expect((await requireSession(name)).messageCount).toBe(100);
  });

  test("a tool loop is stored once, whole", async () => {
    const name = newName();
    const call: ChatMessage = { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "look", arguments: "{}" }] };
    const found: ChatMessage = { role: "tool", toolCallId: "c1", content: "42" };
    await rememberTurn(gateway.platform, project, name, { messages: [user("ask")], answer: call });
    expect(texts(await recall(name, { messages: [user("ask"), call, found] }))).toEqual([]);
    await rememberTurn(gateway.platform, project, name, { messages: [user("ask"), call, found], answer: assistant("it is 42") });
    expect((await storedMessages(name)).map(({ message }) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("the same question twice is two turns", async () => {
    const name = newName();
    await say(name, "again", "same");
    await say(name, "again", "same");
    expect((await requireSession(name)).messageCount).toBe(4);
  });
});

describe("tiers", () => {
  test("below Pro there is no memory", async () => {
    const starter = (await gateway.key({ project: "memory-starter", tier: "starter" })).project;
    await expect(recall(newName(), {}, starter)).rejects.toMatchObject({ type: "insufficient_tier" });
  });

  test("simultaneous calls never open one session too many", async () => {
    const full = (await gateway.key({ project: "memory-full", tier: "pro" })).project;
    const opened = await Promise.allSettled(Array.from({ length: 130 }, (_, n) => recall(`s${n}`, {}, full)));
    const refused = opened.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(30);
    expect(refused[0]?.reason).toMatchObject({ type: "limit_exceeded", options: { details: { limit: 100, current: 100 } } });
    expect(await recall("s0", {}, full)).toEqual([]);
  });

  test("a session ends with its retention, is then as if it had never been, and gives its place free", async () => {
    const crowded = await gateway.key({ project: "memory-crowded", tier: "pro" });
    for (let n = 0; n < 100; n++) await say(`s${n}`, "one of many", "noted", crowded.project);
    await expect(recall("one more", {}, crowded.project)).rejects.toMatchObject({ type: "limit_exceeded" });
    const name = newName();
    await say(name, "short-lived");
    const session = await requireSession(name);
    expect(session.expiresAtMs - session.updatedAtMs).toBe(30 * 86_400_000);
    gateway.clock.advance(30 * 86_400_000 + 1);
    expect(findSession(gateway.platform.db, project.id, name, gateway.platform.clock.now())).toBeUndefined();
    expect(await recall(name)).toEqual([]);
    expect(await (await gateway.send(crowded, "GET", "/v1/memory")).json()).toMatchObject({ sessions: [], total: 0 });
    expect(await recall("one more", {}, crowded.project)).toEqual([]);
    await sweepSessions(gateway.platform);
    const left = gateway.platform.db.get<{ n: number }>(
      "SELECT count(*) AS n FROM memory_messages WHERE project_id = ?",
      project.id,
    );
    expect(left?.n).toBe(0);
  });

  test("a session opened for a call that failed is swept after an hour and never shown", async () => {
    const name = newName();
    await recall(name);
    expect(findSession(gateway.platform.db, project.id, name, gateway.platform.clock.now())).toBeUndefined();
    const count = () =>
      gateway.platform.db.get<{ n: number }>("SELECT count(*) AS n FROM memory_sessions WHERE session_id = ?", name)?.n;
    expect(count()).toBe(1);
    gateway.clock.advance(3_600_001);
    await sweepSessions(gateway.platform);
    expect(count()).toBe(0);
  });
});

describe("/v1/memory", () => {
  const send = async (method: string, path: string, as: TestKey | null = key) => {
    const response = await gateway.send(as, method, path);
    return { status: response.status, body: (await response.json()) as any };
  };

  test("lists, shows, clears and deletes", async () => {
    const other = await gateway.key({ project: "memory-routes", tier: "pro" });
    const name = "user 7/chat";
    const path = `/v1/memory/${encodeURIComponent(name)}`;
    await say(name, "hello", "hi", other.project);
    await say("second", "a", "b", other.project);

    const list = await send("GET", "/v1/memory?limit=1", other);
    expect(list.body).toMatchObject({ total: 2, limit: 1, offset: 0, sessions: [{ session_id: "second" }] });
    const shown = await send("GET", path, other);
    expect(shown.body).toMatchObject({ session_id: name, message_count: 2, summarized: false, summary: null });
    expect(shown.body.token_count).toBeGreaterThan(0);
    expect(shown.body.messages.map(({ role, content }: any) => [role, content])).toEqual([
      ["user", "hello"],
      ["assistant", "hi"],
    ]);
    for (const time of ["created_at", "updated_at", "expires_at"]) {
      expect(new Date(shown.body[time]).toISOString()).toBe(shown.body[time]);
    }

    const cleared = await gateway.send(other, "POST", `${path}/clear`);
    expect(await cleared.json()).toEqual({ session_id: name, cleared: true, messages_removed: 2 });
    expect((await send("GET", path, other)).body).toMatchObject({ message_count: 0, token_count: 0, messages: [] });
    expect((await send("DELETE", path, other)).body).toEqual({ session_id: name, deleted: true });
    expect((await send("GET", path, other)).status).toBe(404);
    expect((await send("DELETE", path, other)).status).toBe(404);
    expect((await send("POST", `${path}/clear`, other)).status).toBe(404);
  });

  test("another project's session is not found; a lower tier, a missing scope and bad pages are refused", async () => {
    const mine = newName();
    await say(mine, "mine");
    const other = await gateway.key({ project: "memory-foreign", tier: "pro" });
    expect((await send("GET", `/v1/memory/${mine}`, other)).body.error.type).toBe("not_found");
    expect((await send("DELETE", `/v1/memory/${mine}`, other)).status).toBe(404);
    const free = await gateway.key({ project: "memory-free", tier: "free" });
    const refused = await send("GET", "/v1/memory", free);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ type: "insufficient_tier", required_tier: "pro", current_tier: "free" });
    const noScope = await gateway.key({ project: "memory", tier: "pro", scopes: ["chat"] });
    expect((await send("GET", "/v1/memory", noScope)).body.error.type).toBe("permission_denied");
    expect((await send("GET", "/v1/memory?limit=0")).body.error.param).toBe("limit");
  });

  test("a user who is forgotten is forgotten here too, with the summary that knew them", async () => {
    const name = newName();
    for (let n = 0; n < 15; n++)
      await say(name, `${n} secret of Bob ${"more of this secret ".repeat(40)}`, "noted", project, "bob");
    for (let n = 0; n < 5; n++) await say(name, `Eve says ${n}`, "noted", project, "eve");
    const other = await gateway.key({ project: "another with a Bob", tier: "pro" });
    await say(name, "another Bob", "noted", other.project, "bob");
    await foldSession(gateway.platform, project, await requireSession(name), 2_000, async () => ({
      text: "Bob has a secret.",
      finish: "stop",
    }));
    expect((await requireSession(name)).summary).toContain("Bob");
    const forgotten = await gateway.send(key, "DELETE", "/v1/logs/user/bob");
    expect(forgotten.status).toBe(200);
    const session = await requireSession(name);
    expect(session).toMatchObject({ summary: null, messageCount: 10 });
    expect(texts(await recall(name)).join()).not.toContain("Bob");
    expect(texts(await recall(name, {}, other.project))).toEqual(["another Bob", "noted"]);
  });
});
