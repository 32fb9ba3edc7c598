import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chunkText } from "../../src/documents/chunk/chunk-text.ts";
import { sizeOf, TARGET_SIZE } from "../../src/documents/chunk/text-size.ts";
import { chunkDocument } from "../../src/documents/prepare-chunks.ts";

const sentence = (at: number) => `Sentence number ${at} tells of one thing and of no other thing at all. `;
const prose = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => sentence(from + at))
    .join("")
    .trim();

describe("chunks", () => {
  test("of a short text are one, with its heading", () => {
    expect(chunkText("# Guide\n\nShort.")).toEqual([{ content: "# Guide\n\nShort.", start: 0, end: 15, headings: ["Guide"] }]);
  });

  test("of an empty text are none", () => {
    expect(chunkText(" \n\n ")).toEqual([]);
  });

  test("end where sentences end and lose no sentence", () => {
    const text = prose(200);
    const chunks = chunkText(text);
    for (const { content } of chunks) {
      expect(content).toMatch(/^Sentence/);
      expect(content).toMatch(/at all\.$/);
      expect(sizeOf(content)).toBeLessThan(TARGET_SIZE + 200);
    }
    expect(chunks.map(({ content }) => content).join(" ")).toBe(text);
  });

  test("take a small remainder in with the blank before it", () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
    for (let count = 40; count < 70; count++) {
      for (const text of [prose(count), words(count * 10)])
        expect(
          chunkText(text)
            .map(({ content }) => content)
            .join(" "),
        ).toBe(text);
    }
  });

  test("do not cross a heading of level 1 or 2, and carry the path to them", () => {
    const text = `# Book\n\n## One\n\n${prose(30)}\n\n### Deep\n\n${prose(10, 50)}\n\n## Two\n\n${prose(30, 100)}`;
    const chunks = chunkText(text);
    expect(chunks.filter(({ content }) => content.includes("## One") && content.includes("## Two"))).toEqual([]);
    expect(chunks[0]!.headings).toEqual(["Book", "One"]);
    expect(chunks.at(-1)!.headings).toEqual(["Book", "Two"]);
    const deep = chunks.find(({ content }) => content.includes("number 55"))!;
    expect(deep.headings.slice(0, 2)).toEqual(["Book", "One"]);
  });

  test("keep fenced code whole, with what looks like a heading inside", () => {
    const code = `\`\`\`sh\n# not a heading\n${"echo one line of code\n".repeat(90)}\`\`\``;
    const chunks = chunkText(`# Real\n\n${prose(20)}\n\n${code}\n\n${prose(20)}`);
    expect(chunks.filter(({ content }) => content.includes(code))).toHaveLength(1);
    expect(chunks.every(({ headings }) => headings.join() === "Real")).toBe(true);
  });

  test("keep fenced code whole that belongs to an item of a list", () => {
    const words = "Some words about it. ".repeat(30);
    const code = `    \`\`\`sh\n${"    echo start. Then stop.\n\n".repeat(40)}    \`\`\``;
    const chunks = chunkText(`${words}\n\n1.  Run:\n\n${code}\n\n2.  ${words}`);
    expect(chunks.filter(({ content }) => content.includes(code))).toHaveLength(1);
  });

  test("end with a line where lines are rows, messages, records or code", () => {
    const said = (at: number) => `It is ${"very ".repeat(at % 9)}good. Who called? Item ${at} is gone; see p. ${at}.`;
    const kinds = {
      rows: (at: number) => `${at},"Smith, J.","${said(at)}",${at}.50`,
      log: (at: number) => `2031-05-01T10:00:00.${100 + at} INFO Done. path=/a?b=${100 + at} took 3.5 ms. Next.`,
      messages: (at: number) => `[12.03.31, 10:${10 + (at % 50)}] Ann B.: ${said(at)}`,
      json: (at: number) => `  {\n    "text": "${said(at)}"\n  },`,
      code: (at: number) => `def f${at}(a):\n    # Why? Because it is so. ${said(at)}\n    return a.b`,
    };
    for (const line of Object.values(kinds)) {
      const text = Array.from({ length: 150 }, (_, at) => line(at)).join("\n");
      const lines = new Set(text.split("\n"));
      for (const { content } of chunkText(text)) for (const each of content.split("\n")) expect(lines).toContain(each);
    }
  });

  test("of rows under names of their columns repeat these", () => {
    const rows = Array.from({ length: 200 }, (_, at) => `${at};Item "${at}; blue";${at * 7}.50`);
    const chunks = chunkText(["number;name;price", ...rows].join("\n"));
    expect(chunks.length).toBeGreaterThan(2);
    for (const { content } of chunks) expect(content).toStartWith("number;name;price\n");
    for (const { content } of chunkText(rows.join("\n")).slice(1)) expect(content).not.toContain('Item "0; blue"');
  });

  test("of prose whose lines are full end with its sentences", () => {
    const sentence = "The Signal Box stands where the Routes of a Railway are set, and somebody looks after it. ";
    for (const width of [60, 72, 100]) {
      const lines = new RegExp(`.{1,${width}}(?: |$)`, "g");
      const chunks = chunkText(
        sentence
          .repeat(120)
          .match(lines)!
          .map((line) => line.trim())
          .join("\n"),
      );
      expect(chunks.length).toBeGreaterThan(4);
      for (const { content } of chunks) expect(content.replaceAll("\n", " ")).toEndWith("looks after it.");
    }
  });

  test("of a long table repeat its head and cut between rows", () => {
    const rows = Array.from({ length: 120 }, (_, at) => `| row ${at} | value ${at * 7} | a remark of some length |`);
    const chunks = chunkText(`Before.\n\n| name | value | remark |\n|---|---|---|\n${rows.join("\n")}`);
    const parts = chunks.filter(({ content }) => content.includes("| row"));
    expect(parts.length).toBeGreaterThan(2);
    for (const { content } of parts) {
      expect(content).toContain("| name | value | remark |\n|---|---|---|\n");
      for (const line of content.split("\n").filter((line) => line.includes("row"))) expect(rows).toContain(line);
    }
    for (const row of rows) expect(parts.filter(({ content }) => content.includes(row))).toHaveLength(1);
  });

  test("of Chinese are a third as long, and no character is cut in two", () => {
    const chunks = chunkText("这是一个关于铁路信号箱的句子，它很长。".repeat(200));
    expect(Math.max(...chunks.map(({ content }) => content.length))).toBeLessThan(580);
    const emoji = chunkText("🚂".repeat(3_000));
    expect(emoji.map(({ content }) => content).join("")).toBe("🚂".repeat(3_000));
    expect(emoji.every(({ content }) => content.isWellFormed())).toBe(true);
  });

  test("cut no character in two that is made of several, and no word where there are blanks of any kind", () => {
    const families = "👨‍👩‍👧‍👦".repeat(3_000);
    const letters = "กำลังเที่ยวที่นี่".repeat(400);
    for (const text of [families, letters]) {
      const starts = new Set(Array.from(new Intl.Segmenter().segment(text), ({ index }) => index));
      expect(chunkText(text).filter(({ start }) => !starts.has(start))).toEqual([]);
    }
    const spaced = Array.from({ length: 3_000 }, (_, at) => `word${at}`).join("\u00a0");
    for (const { content } of chunkText(spaced)) expect(content).toMatch(/^word/);
  });

  test("end between the rows of a pasted table, and not after an abbreviation", () => {
    const rows = Array.from({ length: 400 }, (_, at) => `${at},"Item ${at}, blue",${at * 7}`);
    const known = new Set(rows);
    for (const { content } of chunkText(rows.join("\n")))
      for (const row of content.split("\n")) expect(known.has(row)).toBe(true);
    const sentence = "Mr. Smith met Dr. Jones in St. Louis on Jan. 5 at pier No. 17, as Fig. 3 shows.";
    for (const { content } of chunkText(Array(80).fill(sentence).join(" "))) expect(content).toStartWith("Mr. Smith");
  });

  test("take neither front matter nor comments line after line for headings", () => {
    const text = (words: string) => `${words} `.repeat(200);
    const titled = chunkText(`---\ntitle: Handbook\ndate: 2024-01-01\n---\n\n### Leave\n\n${text("Thirty days.")}`);
    expect(titled[0]!.headings).toEqual([]);
    expect(titled.at(-1)!.headings).toEqual(["Leave"]);
    const settings = `# The port that is listened on,\n# for clients of any kind.\nport=8080\n\n`.repeat(60);
    for (const { content, headings } of chunkText(settings)) expect([content.length > 400, headings]).toEqual([true, []]);
  });

  test("of text without any break still have an end", () => {
    const chunks = chunkText("x".repeat(50_000));
    expect(chunks.reduce((sum, { content }) => sum + content.length, 0)).toBe(50_000);
    expect(chunks.length).toBeGreaterThan(20);
  });

  test("of a heading line that does not end are no larger than others", () => {
    for (const { content, headings } of chunkText(`# ${prose(100)}\n\nText.`)) {
      expect(sizeOf(content)).toBeLessThanOrEqual(1.5 * TARGET_SIZE);
      expect(headings).toEqual([]);
    }
  });

  // Each of these took minutes when a line was looked at more than a few times.
  test.each([
    ["a fence after another", "```\n```\n".repeat(125_000)],
    ["fences that close nothing", "```\nx\n~~~\n".repeat(100_000)],
    ["a table's rule that never ends", `a|b\n|${"-".repeat(1_000_000)}x\n`],
    ["a table's rule of many columns", `a|b\n${"-|".repeat(500_000)}x\n`],
    ["a heading's closing marks", `# a${" #".repeat(500_000)}x\n`],
  ])("of a megabyte of %s come in linear time", (_, text) => {
    const chunks = chunkText(text);
    expect(chunks.length).toBeGreaterThan(300);
    expect(chunks.every(({ content }) => sizeOf(content) <= 1.5 * TARGET_SIZE)).toBe(true);
  });

  // In a process of its own, whose heap nothing else has grown.
  test("of a megabyte of short lines keep no line of it in memory", () => {
    const code = `
      import { heapStats } from "bun:jsc";
      import { chunkText } from "${join(import.meta.dir, "../../src/documents/chunk/chunk-text.ts")}";
      const before = heapStats().heapCapacity;
      chunkText("\`\`\`\\n" + "a\\n".repeat(400_000) + "\`\`\`\\n" + "- a\\n".repeat(50_000));
      console.log(heapStats().heapCapacity - before);`;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", code]);
    expect(Number(stdout.toString())).toBeGreaterThan(0);
    expect(Number(stdout.toString())).toBeLessThan(40_000_000);
  });

  test("of headings and nothing else are bounded in number", () => {
    const chunks = chunkText("# a\n\nb\n\n".repeat(60_000));
    expect(chunks.length).toBeLessThan(25_000);
    expect(chunks.map(({ content }) => content.match(/b/g)!.length).reduce((sum, count) => sum + count)).toBe(60_000);
  });

  test("say which pages they come from", () => {
    const pages = [1, 2, 3].map((page) => ({ page, text: prose(25, page * 100) }));
    const chunks = chunkDocument(pages, "application/pdf");
    expect(chunks[0]).toMatchObject({ pageFrom: 1, pageTo: 1 });
    expect(chunks.at(-1)).toMatchObject({ pageTo: 3 });
    for (const { content, pageFrom } of chunks) expect(pageFrom).toBe(Number(/number (\d)/.exec(content)![1]));
    const pieces = chunkDocument(pages, "text/plain");
    expect(pieces.map(({ start, pageFrom }) => pageFrom - Math.floor(start / 3_000))).toEqual(pieces.map(() => 1));
  });

  test("join pages within a sentence and part them after one", () => {
    const pages = ["It goes", "on. Done.", "New."].map((text, at) => ({ page: at + 1, text }));
    expect(chunkDocument(pages, "application/pdf").map(({ content }) => content)).toEqual(["It goes\non. Done.\n\nNew."]);
  });

  const corpora = join(import.meta.dir, "../../../shared/data/chunking/corpora");
  test.skipIf(!existsSync(corpora))("of real texts are spans of them, in order, without overlap", async () => {
    for (const name of new Bun.Glob("*.md").scanSync(corpora)) {
      const text = await Bun.file(join(corpora, name)).text();
      let reached = 0;
      for (const { content, start, end } of chunkText(text)) {
        expect(start).toBeGreaterThanOrEqual(reached);
        expect(content.endsWith(text.slice(start, end).trimEnd())).toBe(true);
        reached = end;
      }
    }
  });
});
