/** What the documentation points at is there: files, sections, commands, and JSON that can be sent. */

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";

const ROOT = join(import.meta.dir, "../..");
const pages = ["*.md", "docs/*.md", "src/README.md", "bench/**/*.md", "data/*.md", "eval/**/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)])
  .sort();
const read = (page: string): string => readFileSync(join(ROOT, page), "utf8");

/** As the places that show Markdown name their headings. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("the pages are found", () => {
  expect(pages).toContain("README.md");
  expect(pages).toContain("docs/operations.md");
});

test("every relative link leads to a file, and to a heading where it names one", () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, path, anchor]) => {
      const target = path === "" ? page : join(dirname(page), path!);
      if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`];
      return anchor !== undefined && target.endsWith(".md") && !anchorsOf(read(target)).includes(anchor)
        ? [`${page}: ${link}`]
        : [];
    }),
  );
  expect(broken).toEqual([]);
});

/** Of code, the comments; the contract and an operator's own file lie elsewhere. */
test("every file that a page or a comment names is there", () => {
  const all = [
    ...new Bun.Glob("{src,test,docs,bench,eval,release,data}/**/*").scanSync(ROOT),
    ...new Bun.Glob("*").scanSync(ROOT),
  ];
  const isThere = (name: string): boolean => all.some((file) => file === name || file.endsWith(`/${name}`));
  const elsewhere = ["spec.md", "signalbox.yaml"];
  const commentsOf = (text: string): string => [...text.matchAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)].join("\n");
  const code = all.filter((file) => /^(?:src|bench|eval|release)\/.*\.tsx?$/.test(file));
  const texts = [
    ...pages.map((page) => [page, read(page)] as const),
    ...code.map((file) => [file, commentsOf(read(file))] as const),
  ];
  const missing = texts.flatMap(([from, text]) =>
    [...text.matchAll(/(?<![\w/.@…*-])(?:\.{1,2}\/)*((?:[\w.-]+\/)*[\w-]+\.(?:tsx?|md|py|sql|yaml|toml))\b/g)]
      .filter(([, name]) => !elsewhere.includes(name!) && !isThere(name!))
      .map(([, name]) => `${from}: ${name}`),
  );
  expect(texts.length).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});

test("every `signalbox` command in it exists", () => {
  const known = COMMANDS.flatMap(({ name }) => [name, name.split(" ")[0]!]).concat("help");
  const unknown = pages.flatMap((page) =>
    [...read(page).matchAll(/(?:^|`)signalbox ([a-z-]+)/gm)]
      .filter(([, word]) => !known.includes(word!))
      .map(([found]) => `${page}: ${found}`),
  );
  expect(unknown).toEqual([]);
});

test("every body in a curl line is JSON", () => {
  for (const page of pages)
    for (const [, body] of read(page).matchAll(/-d '([^']+)'/g))
      expect([page, typeof JSON.parse(body!)]).toEqual([page, "object"]);
});
