/** The small tools on standard input and output: one object a line, order kept, ids echoed, nothing stored (decisions §12). */

import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { byCommand } from "../../src/history/author.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { putModel, storeProvider, switchModel } from "../../src/providers/stored-settings.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startGateway } from "../support/gateway.ts";
import { makePdf } from "../support/make-pdf.ts";
import { runProgram } from "../support/run-program.ts";

setDefaultTimeout(60_000);

const cwd = folderOfFile();

const run = (words: string[], stdin = "") => runProgram(selfCommand(words), { cwd, stdin });

const valuesIn = (text: string): any[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const linesOf = (values: unknown[]): string => values.map((value) => JSON.stringify(value)).join("\n");

/** Lines in, lines out. */
const through = async (words: string[], lines: unknown[]): Promise<any[]> => {
  const { code, stdout, stderr } = await run(words, linesOf(lines));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return valuesIn(stdout);
};

test("route reads texts and conversations", async () => {
  const [image, chat, translation] = await through(
    ["route", "--jsonl"],
    [
      { id: "a", text: "Draw a picture of a lighthouse at night" },
      { messages: [{ role: "user", content: "Write a Python function that reverses a list." }] },
      {
        messages: [
          { role: "system", content: "You translate everything the user writes into German." },
          { role: "user", content: "The store is closed on Monday." },
        ],
      },
    ],
  );
  expect(Object.keys(image)).toEqual(["id", "task", "media", "complexity", "confidence"]);
  expect(translation.task).toBe("writing");
  expect(image).toMatchObject({ id: "a", media: "image" });
  expect(chat).toMatchObject({ task: "code", media: "none", complexity: expect.any(Number), confidence: expect.any(Number) });
  expect(chat).not.toHaveProperty("id");
});

test("route reads messages as chat does: attached parts, null contents, and what is no message", async () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const calls = [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }];
  const { stdout } = await run(
    ["route", "--jsonl"],
    linesOf([
      { id: 1, messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, image] }] },
      {
        id: 2,
        messages: [
          { role: "assistant", content: null, tool_calls: calls },
          { role: "user", content: "Write a poem about rain." },
        ],
      },
      { id: 3, messages: [{ role: "user" }] },
    ]),
  );
  const answers = valuesIn(stdout);
  expect(answers.map(({ id, task, error }) => [id, task ?? error])).toEqual([
    [1, "vision"],
    [2, "writing"],
    [3, true],
  ]);
});

test("route explains one prompt as the route of the same name does", async () => {
  const { code, stdout } = await run(["route", "Translate to French: the train is late", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    task_type: expect.any(String),
    model: expect.any(String),
    reason: expect.any(String),
  });
});

test("route knows what the dashboard stored, and stores nothing itself", async () => {
  const gateway = await startGateway();
  const { db, config, clock } = gateway.platform;
  await storeProvider(db, byCommand(clock.now()), config, "house", { base_url: "http://127.0.0.1:1/v1", dialect: "openai" });
  for (const id of ["house-one", "house-two"]) await putModel(db, byCommand(clock.now()), { id, provider: "house" });
  await switchModel(db, byCommand(clock.now()), "house-two", false);
  const projects = () => db.all("SELECT id FROM projects");
  const before = projects();
  const { stdout } = await run(["route", "Why is the sky blue?", "--json", "--db", config.databasePath]);
  const candidates = JSON.parse(stdout).decision_factors.candidates.map(({ model }: { model: string }) => model);
  expect([candidates.includes("house-one"), candidates.includes("house-two"), projects()]).toEqual([true, false, before]);
  await gateway.stop();
});

test("refusal tells refusals from answers", async () => {
  const lines = await through(
    ["refusal", "--jsonl"],
    [
      { id: 1, response: "I'm sorry, but I can't help with that request." },
      { id: 2, response: "The capital of France is Paris.", prompt: "What is the capital of France?" },
    ],
  );
  expect(lines.map(({ id, refusal }) => [id, refusal])).toEqual([
    [1, true],
    [2, false],
  ]);
  for (const { score } of lines) expect(score).toBeWithin(0, 1.0001);
});

test("pii finds the types that are asked for, in UTF-16 offsets", async () => {
  const text = "🚂 Write to ada@example.com, SSN 536-22-1234.";
  const [all, some] = [
    await through(["pii", "--jsonl"], [{ id: "x", text }]),
    await through(["pii", "--jsonl", "--types", "email"], [{ text }]),
  ];
  expect(all[0].entities.map(({ type }: any) => type)).toEqual(["email", "ssn"]);
  expect(some[0].entities).toEqual([{ type: "email", start: 12, end: 27, value: "ada@example.com" }]);
  expect(text.slice(12, 27)).toBe("ada@example.com");
});

test("a type of personal data that there is none of is a wrong word", async () => {
  const { code, stderr } = await run(["pii", "--jsonl", "--types", "email,passport"], "");
  expect([code, stderr]).toEqual([2, expect.stringContaining('--types is "passport"; it may be ssn, ')]);
});

test("repair answers with the value, or with the reason why there is none", async () => {
  const lines = await through(
    ["repair", "--jsonl"],
    [
      { id: 1, input: 'Sure! ```json\n{"a": 1,}\n```' },
      { id: 2, input: "There is nothing to say." },
      { id: 3, input: '{"a": "x"}', schema: { type: "object", properties: { a: { type: "integer" } } } },
      { id: 4, input: "{}", schema: { type: "no such type" } },
    ],
  );
  expect(lines[0]).toEqual({ id: 1, value: { a: 1 } });
  for (const line of lines.slice(1)) expect(line).toMatchObject({ error: true, message: expect.any(String) });
  expect(lines.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

test("repair keeps every digit of a number too large for JavaScript", async () => {
  const input = (text: string) => `${JSON.stringify({ input: text })}\n`;
  const { stdout } = await run(
    ["repair", "--jsonl"],
    input("[12345678901234567890, 1.5]") + input("{'id': 12345678901234567891}"),
  );
  expect(stdout.trim().split("\n")).toEqual(['{"value":[12345678901234567890,1.5]}', '{"value":{"id":12345678901234567891}}']);
});

test("embed gives unit vectors of 256 numbers", async () => {
  const [{ id, embedding }] = await through(["embed", "--jsonl"], [{ id: "v", text: "a signal box" }]);
  expect(id).toBe("v");
  expect(embedding).toHaveLength(256);
  expect(Math.hypot(...embedding)).toBeCloseTo(1, 3);
});

test("a line that cannot be used is answered in its place, and the exit code says so", async () => {
  const { code, stdout, stderr } = await run(
    ["pii", "--jsonl"],
    '{"text":"fine"}\nnot json\n[1]\n\n{"id":7,"text":1}\n{"id":8,"text":""}',
  );
  expect([code, stderr]).toEqual([1, "signalbox: 3 of the lines could not be used\n"]);
  expect(valuesIn(stdout)).toEqual([
    { entities: [] },
    { error: true, message: "Line 2 is not JSON." },
    { error: true, message: "Line 3 is not a JSON object." },
    { id: 7, error: true, message: "Line 5 cannot be used: `text` must be a string" },
    { id: 8, entities: [] },
  ]);
});

test("extract prints a document by pages", async () => {
  await Bun.write(join(cwd, "two.pdf"), makePdf(["First page.", "Second page."]));
  await Bun.write(join(cwd, "one.md"), "# Title\n\nText.\n");
  const pdf = JSON.parse((await run(["extract", "two.pdf"])).stdout);
  expect(pdf).toEqual({
    pages: [
      { page: 1, text: "First page." },
      { page: 2, text: "Second page." },
    ],
  });
  expect(JSON.parse((await run(["extract", "one.md"])).stdout).pages[0].text).toContain("Title");
  expect(await run(["extract", "missing.pdf"])).toMatchObject({ code: 1, stderr: "signalbox: missing.pdf does not exist.\n" });
});

test("search ranks a collection for each query", async () => {
  const corpus = [
    { id: "d1", title: "Levers", text: "The lever frame at Hebden Bridge has thirty levers." },
    { id: "d2", text: "Bread is made of flour, water, salt and time." },
  ];
  const queries = [
    { id: "q1", text: "how many levers" },
    { id: "q2", text: "what is bread made of" },
  ];
  await Bun.write(join(cwd, "corpus.jsonl"), linesOf(corpus));
  await Bun.write(join(cwd, "queries.jsonl"), linesOf(queries));
  const { stdout } = await run(["search", "--corpus", "corpus.jsonl", "--queries", "queries.jsonl", "--top-k", "1"]);
  const ranked = valuesIn(stdout);
  expect(ranked.map(({ id, results }) => [id, results[0].id, results.length])).toEqual([
    ["q1", "d1", 1],
    ["q2", "d2", 1],
  ]);
});

test("search names the line that it cannot use, and an id that is given twice; numbers stay numbers", async () => {
  const queries = '{"id":7,"text":"levers"}\n';
  const search = async (corpus: string) => {
    await Bun.write(join(cwd, "corpus.jsonl"), corpus);
    await Bun.write(join(cwd, "queries.jsonl"), queries);
    const { code, stdout, stderr } = await run(["search", "--corpus", "corpus.jsonl", "--queries", "queries.jsonl"]);
    return code === 0 ? JSON.parse(stdout) : stderr;
  };
  expect(await search('\n{"id":1,"text":"The frame has thirty levers."}\r\n')).toMatchObject({ id: 7, results: [{ id: 1 }] });
  const complaint = "signalbox: corpus.jsonl: line 2 cannot be used:";
  expect(await search('\n{"id":"a"}')).toBe(`${complaint} \`text\` must be a string.\n`);
  expect(await search('\n{"text":"b"}')).toBe(`${complaint} \`id\` must be a string or a number.\n`);
  expect(await search("\n[]")).toBe(`${complaint} it is not a JSON object.\n`);
  expect(await search("\n{")).toBe("signalbox: corpus.jsonl: line 2 is not JSON.\n");
  expect(await search('{"id":1,"text":"a"}\n{"id":"1","text":"b"}')).toBe(
    'signalbox: corpus.jsonl: two documents have the id "1".\n',
  );
});

test("none of them leaves anything behind", () => {
  expect(readdirSync(cwd).sort()).toEqual(["corpus.jsonl", "one.md", "queries.jsonl", "two.pdf"]);
});

test("repair fits a schema as chat does: numbers and truth values come out of their quotes", async () => {
  const schema = { type: "object", properties: { age: { type: "integer" }, name: { type: "string" } }, required: ["age"] };
  const [mended, hopeless] = await through(
    ["repair", "--jsonl"],
    [
      { input: '{"age":"30","name":"7"}', schema },
      { input: '{"age":"thirty"}', schema },
    ],
  );
  expect(mended).toEqual({ value: { age: 30, name: "7" } });
  expect(hopeless).toMatchObject({ error: true, message: expect.stringContaining("/age") });
});

test("a reader who has seen enough ends the tool in silence", async () => {
  await Bun.write(join(cwd, "many.jsonl"), `${JSON.stringify({ text: "Write to ann@example.org, please." })}\n`.repeat(20_000));
  const command = 'exec 3>&1; { "$@" < many.jsonl; echo "$?" >&3; } | head -n 1 > /dev/null';
  const child = Bun.spawn(["sh", "-c", command, "sh", ...selfCommand(["pii", "--jsonl"])], {
    cwd,
    stdout: "pipe",
    stderr: "pipe",
  });
  expect([await new Response(child.stdout).text(), await new Response(child.stderr).text()]).toEqual(["0\n", ""]);
  rmSync(join(cwd, "many.jsonl"));
});

// A disk that is always full, where the system has one.
test.if(existsSync("/dev/full"))("output that cannot be written fails in one line", async () => {
  const words = ["sh", "-c", 'exec "$@" > /dev/full', "sh", ...selfCommand(["version"])];
  const child = Bun.spawn(words, { cwd, stdout: "ignore", stderr: "pipe" });
  expect(await new Response(child.stderr).text()).toMatch(/^signalbox: The output cannot be written: ENOSPC[^\n]*\n$/);
  expect(await child.exited).toBe(1);
});
