/** Long sessions: nothing said is lost when the oldest turns become a summary, whatever happens meanwhile. */

import { describe, expect, test } from "bun:test";
import { foldSession } from "../../src/memory/fold-session.ts";
import { forgetMemory } from "../../src/memory/forget-memory.ts";
import { clearSession, messagesAfter } from "../../src/memory/message-store.ts";
import { rememberTurn } from "../../src/memory/remember-turn.ts";
import { deleteSession } from "../../src/memory/store.ts";
import type { Summarise } from "../../src/memory/write-summary.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { assistant, isSummary, sessionsOfFile, texts, user } from "./sessions-of-file.ts";

const { gateway, project, newName, say, recall, requireSession, storedMessages } = await sessionsOfFile();

const asTool = ({ content }: ChatMessage): ChatMessage => ({ role: "tool", content, toolCallId: "c" });

/** Keeps every line with a marked fact, as a good summariser would. */
const keepsFacts: Summarise = async (prompt) => {
  const material = prompt.slice(prompt.indexOf("<summary>"));
  return { text: [...new Set(material.match(/FACT-\d+/g) ?? ["nothing"])].join(" "), finish: "stop" };
};

describe("folding", () => {
  const fill = async (name: string, turns: number, words = 40) => {
    for (let n = 0; n < turns; n++) await say(name, `turn ${n} ${"words and more ".repeat(words)}`, `reply ${n}`);
  };
  const budget = 2_000;
  const fold = async (name: string, summarise?: Summarise) =>
    foldSession(gateway.platform, project, await requireSession(name), budget, summarise);

  test("keeps the messages, replaces what is sent, and leaves the newest as they were said", async () => {
    const name = newName();
    await say(name, "FACT-1 is important");
    await fill(name, 20);
    expect(await fold(name, keepsFacts)).toBe(true);
    const session = await requireSession(name);
    expect(session.summary).toBe("FACT-1");
    expect(session.messageCount).toBe(42);
    expect(session.tokenCount + session.summaryTokens).toBeLessThanOrEqual(budget / 2);
    const messages = await recall(name);
    expect(messages[0]).toEqual({ role: "system", content: "Summary of the earlier conversation in this session:\nFACT-1" });
    expect(messages.at(-1)).toEqual(assistant("reply 19"));
    expect(await storedMessages(name)).toHaveLength(42);
  });

  test("of what was summarised, the newest ten thousand messages stay to be read", async () => {
    const name = newName();
    const messages = Array.from({ length: 10_003 }, (_, n) => user(`call ${n}`));
    await rememberTurn(gateway.platform, project, name, {
      messages: [user("start"), ...messages.map(asTool)],
      answer: assistant("end"),
    });
    await say(name, "more");
    await say(name, "and more");
    expect(await fold(name, keepsFacts)).toBe(true);
    const kept = await storedMessages(name);
    expect(kept).toHaveLength(10_000);
    expect(kept.at(-1)!.message).toEqual(assistant("answer to and more"));
    expect((await requireSession(name)).messageCount).toBe(10_000);
  });

  test.each<[string, Summarise]>([
    ["throws", () => Promise.reject(new Error("503 upstream"))],
    ["answers nothing", async () => ({ text: "", finish: "stop" })],
    ["is cut off", async () => ({ text: "half a", finish: "length" })],
    ["refuses", async () => ({ text: "I'm sorry, but I can't help with summarizing this conversation.", finish: "stop" })],
    ["answers at length", async () => ({ text: "word ".repeat(5_000), finish: "stop" })],
  ])("drops nothing when the model %s, and works the next time", async (_name, summarise) => {
    const name = newName();
    await fill(name, 20);
    const before = await requireSession(name);
    expect(await fold(name, summarise)).toBe(false);
    expect(await requireSession(name)).toEqual(before);
    const sent = await recall(name, { budgetTokens: budget, summarise });
    expect(sent.at(-1)).toEqual(assistant("reply 19"));
    expect(sent.some(isSummary)).toBe(false);
    expect(await fold(name, keepsFacts)).toBe(true);
  });

  test("the newest user message is never swallowed, however large", async () => {
    const name = newName();
    await fill(name, 3);
    await say(name, `huge ${"text ".repeat(5_000)}`, "short");
    await fold(name, keepsFacts);
    const left = messagesAfter(
      gateway.platform.db,
      project.id,
      await requireSession(name),
      (await requireSession(name)).summaryUpto,
    );
    expect(left.length).toBeGreaterThanOrEqual(4);
    expect(left.at(-1)?.message).toEqual(assistant("short"));
  });

  test("happens while a call is recalled, once for simultaneous calls", async () => {
    const name = newName();
    await fill(name, 20);
    let calls = 0;
    const summarise: Summarise = async (prompt, maxTokens) => {
      calls++;
      return keepsFacts(prompt, maxTokens);
    };
    const recalls = await Promise.all(Array.from({ length: 5 }, () => recall(name, { budgetTokens: budget, summarise })));
    expect(calls).toBe(1);
    expect(recalls.some(([first]) => isSummary(first))).toBe(true);
  });

  test("the summary takes its part of the room, and who asks for the last messages waits for no summary", async () => {
    const name = newName();
    await fill(name, 20);
    const asked = { budgetTokens: budget, includeLastN: 2 };
    const none: Summarise = () => Promise.reject(new Error("Nobody is to be asked."));
    expect((await recall(name, { ...asked, summarise: none })).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect((await requireSession(name)).summary).toBeNull();
    expect(await fold(name, async () => ({ text: "A long summary. ".repeat(40).trim(), finish: "stop" }))).toBe(true);
    const { summaryTokens } = await requireSession(name);
    const newest = (await storedMessages(name)).at(-1)!.tokens;
    const recalled = async (budgetTokens: number) => (await recall(name, { budgetTokens, includeLastN: 100 })).length;
    expect([await recalled(summaryTokens + newest), await recalled(summaryTokens + newest - 1)]).toEqual([2, 1]);
  });

  test("a turn stored during a fold stays, and a session cleared during one stays empty", async () => {
    const name = newName();
    await fill(name, 20);
    await fold(name, async (prompt, maxTokens) => {
      await say(name, "said meanwhile");
      return keepsFacts(prompt, maxTokens);
    });
    expect(texts(await recall(name))).toContain("said meanwhile");

    await fill(name, 20);
    const during = await fold(name, async () => {
      await clearSession(gateway.platform.db, project.id, name, gateway.platform.clock.now());
      return { text: "what was said before", finish: "stop" };
    });
    expect(during).toBe(false);
    expect(await recall(name)).toEqual([]);
    expect(await requireSession(name)).toMatchObject({ messageCount: 0, tokenCount: 0, summary: null });
  });

  test("a session deleted and begun anew during a fold does not get the old summary", async () => {
    const name = newName();
    await fill(name, 20);
    await fold(name, async () => {
      await deleteSession(gateway.platform.db, project.id, name, gateway.platform.clock.now());
      await say(name, "new life");
      return { text: "old life", finish: "stop" };
    });
    expect((await requireSession(name)).summary).toBeNull();
    expect(texts(await recall(name))).toEqual(["new life", "answer to new life"]);
  });

  test("what is forgotten during a fold does not come back in its summary", async () => {
    const name = newName();
    await say(name, "Ada lives at 12 Mill Lane", "noted", project, "ada");
    await fill(name, 20);
    const folded = await fold(name, async (prompt) => {
      expect(prompt).toContain("Mill Lane");
      await forgetMemory(gateway.platform.db, project.id, "ada");
      return { text: "Ada lives at 12 Mill Lane", finish: "stop" };
    });
    expect(folded).toBe(false);
    expect((await requireSession(name)).summary).toBeNull();
    expect(await fold(name, keepsFacts)).toBe(true);
  });

  test("a user is forgotten in the summary, too, after most of their messages have become too old to be kept", async () => {
    const name = newName();
    await say(name, "FACT-7 is Ada's address", "noted", project, "ada");
    await say(name, "FACT-8 is Bob's boat", "noted", project, "bob");
    await fill(name, 20);
    await gateway.platform.db.write((sql) =>
      sql.run("UPDATE memory_sessions SET next_sequence = next_sequence + 20000 WHERE session_id = ?", name),
    );
    expect(await fold(name, keepsFacts)).toBe(true);
    expect((await requireSession(name)).summary).toContain("FACT-7");
    expect(texts((await storedMessages(name)).map(({ message }) => message))).not.toContain("FACT-7 is Ada's address");
    await forgetMemory(gateway.platform.db, project.id, "ada");
    expect((await requireSession(name)).summary).toBeNull();
    expect(await recall(name)).not.toContainEqual(expect.objectContaining({ content: expect.stringContaining("FACT-7") }));
  });

  test("without a model the session still stays within its budget", async () => {
    const name = newName();
    await say(name, "My name is Ada Lovelace and the deadline is 3 May.");
    await fill(name, 20);
    expect(await fold(name)).toBe(true);
    expect((await requireSession(name)).summary).toContain("Ada Lovelace");
  });

  test("what outgrows the tier waits for no model: sentences are picked", async () => {
    const name = newName();
    const failing: Summarise = () => Promise.reject(new Error("503 upstream"));
    await say(name, "My name is Ada Lovelace and the deadline is 3 May.");
    const most = 100_000;
    for (let turn = 0; turn < 14; turn++) {
      await fill(name, 1, 2_500);
      await recall(name, { summarise: failing });
      expect((await requireSession(name)).tokenCount).toBeLessThanOrEqual(most);
    }
    expect((await requireSession(name)).summary).toContain("Ada Lovelace");
  });

  test("a session of a thousand turns keeps its facts and never outgrows its budget", async () => {
    const name = newName();
    for (let n = 0; n < 1_000; n++) {
      const fact = n === 3 || n === 200 || n === 650 ? `FACT-${n} ` : "";
      await say(name, `${fact}turn ${n} ${"some words ".repeat(10)}`, `reply ${n}`);
      const messages = await recall(name, { budgetTokens: budget, summarise: keepsFacts });
      expect(messages.at(-1)).toEqual(assistant(`reply ${n}`));
      const { tokenCount, summaryTokens } = await requireSession(name);
      expect(tokenCount + summaryTokens).toBeLessThanOrEqual(budget * 0.8);
    }
    const session = await requireSession(name);
    expect(session.summary).toContain("FACT-3");
    expect(session.summary).toContain("FACT-200");
    expect(session.summary).toContain("FACT-650");
    expect(session.messageCount).toBe(2_000);
  }, 60_000);
});
