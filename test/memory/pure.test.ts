/** What of a session is sent, what is folded, and what may stand for it: decided without a database. */
import { describe, expect, test } from "bun:test";
import { pickSentences } from "../../src/memory/pick-sentences.ts";
import { planFold, summaryAllowance } from "../../src/memory/plan-fold.ts";
import { addedTokens } from "../../src/memory/remember-turn.ts";
import { overlap, selectContext } from "../../src/memory/select-context.ts";
import type { StoredMessage } from "../../src/memory/session.ts";
import { slimMessage } from "../../src/memory/slim-message.ts";
import { writeSummary } from "../../src/memory/write-summary.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });
const asks = (id: string): ChatMessage => ({
  role: "assistant",
  content: "",
  toolCalls: [{ id, name: "look", arguments: "{}" }],
});
const result = (id: string, content = "found"): ChatMessage => ({ role: "tool", toolCallId: id, content });

const remembered = (messages: ChatMessage[], tokens = 10) => messages.map((message) => ({ message, tokens }));
const stored = (messages: ChatMessage[], tokens = 10): StoredMessage[] =>
  messages.map((message, index) => ({ sequence: index + 1, message, tokens, createdAtMs: 0 }));

test("of an agent's turn only the results behind its last calls are new", () => {
  const calls: ChatMessage = {
    role: "assistant",
    content: "",
    toolCalls: [{ id: "a", name: "look", arguments: "long ".repeat(50) }],
  };
  const isNew = [result("a", "what it found")];
  expect(addedTokens([user("Look."), calls, ...isNew])).toBe(addedTokens(isNew));
  const begun = [user("Go on."), assistant("It begins")];
  expect(addedTokens(begun)).toBe(addedTokens([begun[0]!]) + addedTokens([begun[1]!]));
});

describe("what is sent", () => {
  const past = remembered([user("one"), assistant("1"), user("two"), assistant("2")]);
  const select = (more: Partial<Parameters<typeof selectContext>[1]> = {}, from = past) =>
    selectContext(from, { sent: [user("new")], budgetTokens: 1_000, ...more }).map(({ content }) => content);

  test("all of it, the last n, or nothing", () => {
    expect(select()).toEqual(["one", "1", "two", "2"]);
    expect(select({ includeLastN: 3 })).toEqual(["1", "two", "2"]);
    expect(select({ includeLastN: 0 })).toEqual([]);
    expect(select({ includeLastN: 99 })).toHaveLength(4);
  });

  test("the newest that fit the budget", () => {
    expect(select({ budgetTokens: 25 })).toEqual(["two", "2"]);
    expect([select({ budgetTokens: 20 }), select({ budgetTokens: 19 })]).toEqual([["two", "2"], ["2"]]);
    expect(select({ budgetTokens: 0 })).toEqual([]);
    expect(select({ budgetTokens: -5 })).toEqual([]);
  });

  test("not what the caller sends anyway", () => {
    expect(select({ sent: [user("two"), assistant("2"), user("new")] })).toEqual(["one", "1"]);
    expect(select({ sent: [...past.map(({ message }) => message), user("new")] })).toEqual([]);
  });

  test("nor where it sends also what came before, which is in the summary by now", () => {
    const whole = [user("zero"), assistant("0"), ...past.map(({ message }) => message), user("new")];
    expect(select({ sent: whole })).toEqual([]);
    expect(select({ sent: [user("zero"), ...whole.slice(3)] })).toEqual(["one", "1", "two", "2"]);
  });

  test("a question asked again is a new question", () => {
    expect(select({ sent: [user("two")] })).toEqual(["one", "1", "two", "2"]);
    expect(overlap([user("a"), assistant("b")], [user("a")])).toBe(0);
    expect(overlap([assistant("b"), user("a")], [user("a")])).toBe(0);
    expect(overlap([user("a"), assistant("b")], [user("a"), assistant("b"), user("a")])).toBe(2);
    expect(["1", "2"].map((id) => overlap([result("1")], [result(id), user("a")]))).toEqual([1, 0]);
  });

  test("messages that repeat themselves are told apart, two hundred thousand as well as five", () => {
    const said = (letters: string) => [...letters].map((letter) => user(letter));
    expect(overlap(said("aabaa"), said("aabaac"))).toBe(5);
    expect(overlap(said("xaabaa"), said("aabaabb"))).toBe(5);
    expect(overlap(said("ababa"), said("abac"))).toBe(3);
    expect([overlap(said("aab"), said("xaaabc")), overlap(said("aab"), said("xaacb"))]).toEqual([3, 0]);
    const many = "a".repeat(200_000);
    expect(overlap(said(`${many}b`), said(`${many}a${many}bc`))).toBe(200_001);
    expect(overlap(said(`${many}b`), said(`${many}ac`))).toBe(0);
    expect(overlap(said(`b${many}`), said(`${many}c`))).toBe(200_000);
  });

  test("what the caller cannot have sent again is not looked at", () => {
    const unread = {
      role: "user",
      get content(): string {
        throw new Error("read");
      },
    } as ChatMessage;
    expect(overlap([unread, unread, user("a"), assistant("b")], [user("a"), assistant("b"), user("c")])).toBe(2);
    expect(overlap([unread, unread], [unread])).toBe(0);
  });

  test("no tool call without its result, no result without its call", () => {
    const tools = remembered([user("q"), asks("c1"), result("c1"), assistant("a"), user("r"), asks("c2")]);
    expect(select({}, tools)).toEqual(["q", "", "found", "a", "r"]);
    expect(select({ includeLastN: 4 }, tools)).toEqual(["a", "r"]);
    // Of two calls in one message one was never answered: both go, and the answer to the other.
    const both: ChatMessage = {
      role: "assistant",
      content: "two",
      toolCalls: ["c1", "c2"].map((id) => ({ id, name: "look", arguments: "{}" })),
    };
    expect(select({}, remembered([user("q"), both, result("c1"), assistant("a")]))).toEqual(["q", "a"]);
  });

  test("the call whose result alone the caller brings", () => {
    const tools = remembered([user("q"), asks("c1")]);
    expect(select({ sent: [result("c1")] }, tools)).toEqual(["q", ""]);
    expect(select({ sent: [result("c2")] }, tools)).toEqual(["q"]);
    expect(select({ sent: [user("other"), asks("c1"), result("c1")] }, tools)).toEqual(["q"]);
  });
});

describe("what is folded", () => {
  const turns = (count: number) => Array.from({ length: count }, (_, n) => [user(`q${n}`), assistant(`a${n}`)]).flat();

  test("the oldest whole turns, until about half the budget remains", () => {
    const folded = planFold(stored(turns(45), 10), 1_000);
    expect(folded.length % 2).toBe(0);
    const left = 900 - folded.length * 10;
    expect(left).toBeLessThanOrEqual(500 - summaryAllowance(1_000));
    expect(left).toBeGreaterThan(350);
    expect(folded[0]?.sequence).toBe(1);
  });

  test("never any of the last four messages, however large", () => {
    const few = stored([...turns(2)], 10_000);
    expect(planFold(few, 1_000)).toEqual([]);
    expect(planFold(stored(turns(3), 10_000), 1_000).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test("a tool call goes with its result and with the turn around both", () => {
    const messages = stored([user("a"), asks("1"), result("1"), assistant("b"), ...turns(2)], 500);
    expect(planFold(messages, 1_000)).toHaveLength(4);
    const long = stored([user("a"), asks("1"), result("1"), asks("2"), result("2"), assistant("b"), user("c")], 500);
    expect(planFold(long, 1_000)).toEqual([]);
  });
});

describe("the summary", () => {
  const said = [user("My name is Ada Lovelace. I like tea."), assistant("Nice to meet you.")];
  const answering =
    (text: string, finish = "stop") =>
    async () => ({ text, finish });

  test("is the model's, when it ended by itself, says something and is short enough", async () => {
    expect(await writeSummary(null, said, 100, answering(" Ada likes tea. "))).toBe("Ada likes tea.");
    expect(await writeSummary(null, said, 100, answering(""))).toBeUndefined();
    expect(await writeSummary(null, said, 100, answering("  \n"))).toBeUndefined();
    expect(await writeSummary(null, said, 100, answering("Ada likes", "length"))).toBeUndefined();
    expect(await writeSummary(null, said, 100, answering("I can't.", "content_filter"))).toBeUndefined();
    expect(await writeSummary(null, said, 10, answering("word ".repeat(100)))).toBeUndefined();
  });

  test("says something, and is shorter than what it stands for", async () => {
    const long = [user(`My budget is 4,500 EUR. ${"We went on about the weather for a while. ".repeat(60)}`)];
    expect(await writeSummary(null, long, 400, answering("---\n***"))).toBeUndefined();
    expect(await writeSummary(null, long, 400, answering("The budget is 4,500 EUR."))).toBe("The budget is 4,500 EUR.");
    expect(await writeSummary(null, said, 400, answering("Ada Lovelace, who likes tea, was met. ".repeat(3)))).toBeUndefined();
  });

  test("the old summary and every message are put before the model, in pieces where they are much", async () => {
    const prompts: string[] = [];
    const long = Array.from({ length: 40 }, (_, n) => user(`fact-${n} ${"filler words here ".repeat(200)}`));
    const summary = await writeSummary("old facts", long, 500, async (prompt) => {
      prompts.push(prompt);
      return { text: `summary ${prompts.length}`, finish: "stop" };
    });
    expect([prompts.length > 1, prompts.length < 6]).toEqual([true, true]);
    expect(prompts[0]).toContain("old facts");
    expect(prompts[1]).toContain("summary 1");
    for (let n = 0; n < 40; n++) expect(prompts.filter((prompt) => prompt.includes(`fact-${n} `))).toHaveLength(1);
    expect(summary).toBe(`summary ${prompts.length}`);
  });

  test("without a model, sentences that carry something are picked and the old ones kept", () => {
    const messages = [user("Hello there. The budget is 4,500 EUR. Thanks!"), assistant("Fine. We decided on Paris Nord.")];
    const summary = pickSentences("user: My name is Ada Lovelace.", messages, 200);
    expect(summary).toContain("Ada Lovelace");
    expect(summary).toContain("4,500 EUR");
    expect(summary).toContain("Paris Nord");
    expect(summary).not.toContain("Thanks");
  });

  test("without a model, each message gives its first sentence that says something, and none is said twice", () => {
    const messages = ["Hi! I keep bees on the roof.", "Next one. I keep bees on the roof.", "Bye."].map(user);
    expect(pickSentences(null, messages, 200)).toBe("user: I keep bees on the roof.\nuser: Bye.");
  });
});

test("pictures and files are named, not kept", () => {
  const message = slimMessage({
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "image", url: "data:image/png;base64,AAAA" },
      { type: "document", mediaType: "application/pdf", data: "AAAA", name: "a.pdf" },
    ],
  });
  expect(message.content).toBe("What is this?\n[image]\n[document: a.pdf]");
});
