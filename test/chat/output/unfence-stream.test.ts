/** A fence around JSON in a stream: gone however the text is cut into pieces, and never more than the fence. */

import { describe, expect, test } from "bun:test";
import { createUnfence } from "../../../src/chat/output/unfence-stream.ts";

const through = (text: string, size: number): string => {
  const unfence = createUnfence();
  let out = "";
  const take = (event: Parameters<typeof unfence>[0]) => {
    for (const each of unfence(event)) if (each.type === "text") out += each.text;
  };
  for (let at = 0; at < text.length; at += size) take({ type: "text", text: text.slice(at, at + size) });
  take({ type: "finish", reason: "stop" });
  return out;
};

describe.each([1, 2, 3, 7, 1_000])("in pieces of %i", (size) => {
  test.each([
    ['```json\n{"a":1}\n```', '{"a":1}'],
    ["\n ```JSON \r\n\n[1,\n 2]\r\n  ```\n\nThat is all.", "[1,\n 2]\r"],
    ['```\n{"a":"``` is\\n``` a fence"}\n```', '{"a":"``` is\\n``` a fence"}'],
    ['```json\n{"a":1}```', '{"a":1}'],
    ['```json\n{"a":', '{"a":'],
    ['{"a":"```json\\n{}"}', '{"a":"```json\\n{}"}'],
    ['{"a":1}\n```', '{"a":1}\n```'],
    ["```python\nprint(1)\n```", "```python\nprint(1)\n```"],
    ['Here it is:\n```json\n{"a":1}\n```', 'Here it is:\n```json\n{"a":1}\n```'],
    ["``", "``"],
    ["", ""],
    [`\`\`\`json\n${" ".repeat(5_000)}{}\n\`\`\``, `\`\`\`json\n${" ".repeat(5_000)}{}\n\`\`\``],
    [`\`\`\`json\n{"a":1,${" ".repeat(5_000)}"b":2}\n\`\`\``, `{"a":1,${" ".repeat(5_000)}"b":2}`],
  ])("%j", (text, expected) => {
    expect(through(text, size)).toBe(expected);
  });
});

test("what stands before a tool's call leaves before it", () => {
  const unfence = createUnfence();
  expect(unfence({ type: "text", text: "``" })).toEqual([]);
  const call = { type: "tool-start", index: 0, id: "c", name: "t" } as const;
  expect(unfence(call)).toEqual([{ type: "text", text: "``" }, call]);
  const finish = { type: "finish", reason: "tool_calls" } as const;
  expect(unfence(finish)).toEqual([finish]);
});
