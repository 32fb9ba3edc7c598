import { describe, expect, test } from "bun:test";
import { parseTriggers, readFaults } from "../../../src/providers/sandbox/parse-triggers.ts";

const replyOf = (text: string) => parseTriggers(text).triggers.find((trigger) => trigger.name === "reply")?.reply;

describe("parseTriggers", () => {
  test("takes a trigger out of the text", () => {
    expect(parseTriggers("Say hello. [[sandbox:refuse]]")).toEqual({
      text: "Say hello.",
      triggers: [{ name: "refuse", always: false }],
    });
  });

  test("leaves a text without triggers exactly as it is", () => {
    const text = "  array[[0]] and [sandbox:refuse] \n";
    expect(parseTriggers(text)).toEqual({ text, triggers: [] });
  });

  test("reads several triggers in the order they stand", () => {
    const { text, triggers } = parseTriggers("[[sandbox:slow=20]] Hi [[sandbox:truncate:always]] there");
    expect(text).toBe("Hi  there");
    expect(triggers).toEqual([
      { name: "slow", always: false, ms: 20 },
      { name: "truncate", always: true },
    ]);
  });

  test("takes :always last, also behind a value", () => {
    expect(parseTriggers("[[sandbox:slow=200:always]]").triggers).toEqual([{ name: "slow", always: true, ms: 200 }]);
    expect(parseTriggers("[[sandbox:reply=a:b:always]]").triggers).toEqual([{ name: "reply", always: true, reply: "a:b" }]);
  });

  test.each([
    ["plain words", "My SSN is 123-45-6789."],
    ["line breaks and colons", "one: 1\n\ntwo: 2"],
    ["balanced brackets", '{"rows":[[1,2],[3,[4]]]}'],
    ["brackets at the end", "list[0]"],
    ["a lone closing bracket", "smile :] ok"],
    ["a lone closing bracket at the end", "smile :]"],
    ["an opening bracket that never closes", '{"a": [1, 2'],
    ["nothing", ""],
  ])("keeps %s of a reply exactly", (_, reply) => {
    expect(replyOf(`Question? [[sandbox:reply=${reply}]]`)).toBe(reply);
    expect(parseTriggers(`[[sandbox:reply=${reply}]] [[sandbox:slow=5]]`).triggers.map((trigger) => trigger.name)).toEqual([
      "reply",
      "slow",
    ]);
  });

  test("does not take brackets of the later text into a reply", () => {
    expect(parseTriggers("[[sandbox:reply=hi]] see [[1]]")).toMatchObject({ text: "see [[1]]", triggers: [{ reply: "hi" }] });
  });

  test.each([
    "[[sandbox:explode]]",
    "[[sandbox:slow]]",
    "[[sandbox:slow=fast]]",
    "[[sandbox:refuse=1]]",
    "[[sandbox:refuse",
    "[[sandbox:]]",
  ])("leaves %s alone", (text) => {
    expect(parseTriggers(text)).toEqual({ text, triggers: [] });
  });

  test("finds a trigger behind one that never closes", () => {
    expect(parseTriggers("[[sandbox:refuse [[sandbox:empty]]")).toEqual({
      text: "[[sandbox:refuse",
      triggers: [{ name: "empty", always: false }],
    });
  });

  test("reads a long text of unclosed triggers to its end", () => {
    const text = "[[sandbox:reply=[".repeat(20_000);
    expect(parseTriggers(text).triggers).toEqual([]);
  });
});

describe("readFaults", () => {
  test("hold for the first attempt, and later only with :always", () => {
    const text = "Hi [[sandbox:refuse]] [[sandbox:empty:always]]";
    expect([...readFaults(text, 1).faults.keys()]).toEqual(["refuse", "empty"]);
    expect(readFaults(text, 2)).toEqual({ text: "Hi", faults: new Map([["empty", { name: "empty", always: true }]]) });
  });
});
