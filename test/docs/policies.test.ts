/** The page on policies names every option, every type of personal data and every template. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PERSONAL_DATA_TYPES } from "../../src/policies/content/personal-data-type.ts";
import { CONFIG_SCHEMAS } from "../../src/policies/policy.ts";
import { POLICY_TEMPLATES } from "../../src/policies/templates.ts";

const page = readFileSync(join(import.meta.dir, "../../docs/policies.md"), "utf8");

const wordsIn = (text: string): string[] => [...text.matchAll(/`([\w-]+)`/g)].map(([, word]) => word!);
const partAfter = (start: string): string => page.slice(page.indexOf(start) + start.length);

test.each(["Routing", "Content"])("%s policies: every option is in the first column of their table, and no other", (kind) => {
  const table = partAfter(`## ${kind} policies`).split("| Option | |\n|---|---|\n")[1]!.split("\n\n")[0]!;
  const named = table.split("\n").flatMap((row) => wordsIn(row.split("|")[1]!));
  const { properties } = CONFIG_SCHEMAS[kind === "Routing" ? "routing" : "content"];
  expect(named.toSorted()).toEqual(Object.keys(properties).toSorted());
});

test("every type of personal data is named, and no other", () => {
  expect(wordsIn(partAfter("\nPersonal data: ").split(". ")[0]!)).toEqual([...PERSONAL_DATA_TYPES]);
});

test("every template is named, and no other", () => {
  const named = wordsIn(partAfter("`GET /v1/policies/templates`: ").split("\n\n")[0]!);
  expect(named).toEqual(POLICY_TEMPLATES.map(({ slug }) => slug));
});
