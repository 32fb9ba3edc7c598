import { expect, test } from "bun:test";
import { readFaults } from "../../../src/providers/sandbox/read-faults.ts";

/** The text that is left, and the faults of the attempt. */
const read = (whole: string, attempt = 1) => {
  const { text, faults } = readFaults(whole, attempt);
  return [text, Object.fromEntries(faults)];
};

test("takes a trigger out of the text", () => {
  expect(read("Say hello. [[sandbox:refuse]]")).toEqual(["Say hello.", { refuse: "" }]);
});

test("leaves a text without triggers exactly as it is", () => {
  const text = "  array[[0]] and [sandbox:refuse] \n";
  expect(read(text)).toEqual([text, {}]);
});

test("reads several triggers; of two with the same name the last wins", () => {
  expect(read("[[sandbox:slow=20]] Hi [[sandbox:truncate:always]] there")).toEqual(["Hi  there", { slow: "20", truncate: "" }]);
  expect(read("[[sandbox:slow=20]][[sandbox:slow=30]]")).toEqual(["", { slow: "30" }]);
});

test("applies to the first attempt, and to later ones only with :always, which stands last, also behind a value", () => {
  const text = "Hi [[sandbox:refuse]] [[sandbox:empty:always]] [[sandbox:slow=200:always]] [[sandbox:reply=a:b:always]]";
  const lasting = { empty: "", slow: "200", reply: "a:b" };
  expect(read(text, 1)).toEqual(["Hi", { refuse: "", ...lasting }]);
  expect(read(text, 2)).toEqual(["Hi", lasting]);
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
  expect(read(`Question? [[sandbox:reply=${reply}]]`)).toEqual(["Question?", { reply }]);
  expect(read(`[[sandbox:reply=${reply}]] [[sandbox:slow=5]]`)).toEqual(["", { reply, slow: "5" }]);
});

test("does not take brackets of the later text into a reply", () => {
  expect(read("[[sandbox:reply=hi]] see [[1]]")).toEqual(["see [[1]]", { reply: "hi" }]);
});

test.each([
  "[[sandbox:explode]]",
  "[[sandbox:slow]]",
  "[[sandbox:slow=fast]]",
  "[[sandbox:refuse=1]]",
  "[[sandbox:refuse",
  "[[sandbox:]]",
])("leaves %s alone", (text) => {
  expect(read(text)).toEqual([text, {}]);
});

test("finds a trigger behind one that never closes", () => {
  expect(read("[[sandbox:refuse [[sandbox:empty]]")).toEqual(["[[sandbox:refuse", { empty: "" }]);
});

test("reads a long text of unclosed triggers to its end", () => {
  expect(readFaults("[[sandbox:reply=[".repeat(20_000), 1).faults.size).toBe(0);
});
