/** What a release says of itself: every part by others with its licence, in a bill that machines can read. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { billOfMaterials } from "../../release/bill-of-materials.ts";
import { licenceNotices } from "../../release/licence-notices.ts";
import { listParts } from "../../release/list-parts.ts";
import { TARGETS } from "../../release/targets.ts";
import { VERSION } from "../../src/version.ts";

const ROOT = join(import.meta.dir, "../..");
const parts = await listParts();
const names = parts.map(({ name }) => name);

test("the parts are what the bundler took in, and what no package tells of", () => {
  expect(names).toContain("elysia");
  expect(names).toContain("sqlite-vec");
  expect(names).toContain("bun");
  expect(names).toContain("all-MiniLM-L6-v2");
  expect(names).not.toContain("typescript");
  expect(names).not.toContain("openai");
  expect(new Set(names).size).toBe(names.length);
});

test("each part is passed on with its licence", () => {
  const notices = licenceNotices(parts);
  for (const { name, licence, text } of parts) {
    expect(licence).toMatch(/^[A-Za-z0-9.-]+( (AND|OR) [A-Za-z0-9.-]+)*$/);
    expect(notices).toContain(text.trim());
    expect(name).not.toBe("");
  }
});

test("the bill of materials names each part once, packages with purl and digest", () => {
  const bill = billOfMaterials(parts, VERSION);
  expect(bill.components).toHaveLength(parts.length);
  const elysia = bill.components.find(({ name }) => name === "elysia")!;
  expect(elysia.purl).toMatch(/^pkg:npm\/elysia@\d/);
  expect(elysia.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
});

test("every target's sqlite-vec package is in the lock file", () => {
  const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");
  for (const { vectorLibrary } of Object.values(TARGETS)) expect(lock).toContain(`"${vectorLibrary.split("/")[0]}": [`);
});

test("the changelog has an entry for this version", () => {
  expect(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")).toContain(`\n## ${VERSION}`);
});
