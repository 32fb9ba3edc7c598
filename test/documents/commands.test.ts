import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textPdf } from "./build-pdf.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-commands-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...words: string[]) => {
  const child = Bun.spawn([process.execPath, "run", join(import.meta.dir, "../../src/main.ts"), ...words], {
    env: {},
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { output, complaint, code: await child.exited };
};
const write = async (name: string, content: string | Uint8Array): Promise<string> => {
  await Bun.write(join(folder, name), content);
  return join(folder, name);
};

test("`extract` prints the pages of a PDF, a text and a Markdown file, and says why it cannot", async () => {
  const pdf = await run("extract", await write("a.pdf", textPdf([["The first page."], ["The second page."]])));
  expect(JSON.parse(pdf.output)).toEqual({
    pages: [
      { page: 1, text: "The first page." },
      { page: 2, text: "The second page." },
    ],
  });
  for (const name of ["a.txt", "a.md"]) {
    expect(JSON.parse((await run("extract", await write(name, "# Ä\n"))).output)).toEqual({
      pages: [{ page: 1, text: "# Ä\n" }],
    });
  }
  const broken = await run("extract", await write("b.pdf", "no PDF"));
  expect([broken.code, broken.output]).toEqual([1, ""]);
  expect(broken.complaint).toContain("damaged");
  expect((await run("extract", await write("b.png", "x"))).code).toBe(2);
}, 30_000);

test("`search` ranks documents by their best passage, in the order of the queries", async () => {
  const filler = "A long remark about the weather in the hills. ".repeat(200);
  const corpus = [
    { id: "weather", text: filler },
    { id: 7, title: "Lighthouses", text: `${filler}\n\nThe keeper of the lighthouse counts the ships. ${filler}` },
    { id: "ships", text: "Ships of oak." },
    { id: "salt", title: "Salt mines", text: "" },
  ];
  const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
  const corpusFile = await write("corpus.jsonl", lines(corpus));
  const queryFile = await write(
    "queries.jsonl",
    `${lines([
      { id: "q2", text: "oak ships" },
      { id: "q1", text: "Who counts ships at the lighthouse?" },
      { id: "q3", text: "salt mines" },
    ])}\n`,
  );
  const { output } = await run("search", "--corpus", corpusFile, "--queries", queryFile, "--top-k", "2");
  const [second, first, third] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect([second.id, first.id]).toEqual(["q2", "q1"]);
  expect(second.results[0].id).toBe("ships");
  expect(first.results[0].id).toBe(7);
  expect(third.results[0].id).toBe("salt");
  for (const { results } of [first, second]) {
    expect(results.length).toBeLessThanOrEqual(2);
    expect(results.every(({ score }: { score: number }) => score > 0 && score <= 1)).toBe(true);
  }
  expect((await run("search", "--corpus", corpusFile)).code).toBe(2);
}, 30_000);
