/** docs/configuration.md says what the program reads, all of it. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configurationReference, VARIABLES } from "../../release/configuration-reference.ts";

const ROOT = join(import.meta.dir, "../..");

test("the committed page is the generated one (`bun run release/configuration-reference.ts`)", () => {
  expect(readFileSync(join(ROOT, "docs/configuration.md"), "utf8")).toBe(configurationReference());
});

test("every variable that config.ts reads is in its table, and no other", () => {
  const source = readFileSync(join(ROOT, "src/config/config.ts"), "utf8");
  const named = [...source.matchAll(/(?:env\(|environment\[)"([A-Z][A-Z_0-9]+)"/g)].map(([, name]) => name!);
  // These four are put together from a part of their name.
  const timeouts = ["CONNECT", "FIRST_BYTE", "IDLE", "TOTAL"].map((part) => `SIGNALBOX_TIMEOUT_${part}_MS`);
  const cooldown = [...source.matchAll(/milliseconds\("([A-Z_]+)"/g)].map(([, name]) => name!);
  expect(Object.keys(VARIABLES).sort()).toEqual([...new Set([...named, ...timeouts, ...cooldown])].sort());
});

test("each setting that a variable stands for is in the schema's part of the page", () => {
  const page = configurationReference();
  for (const { setting } of Object.values(VARIABLES)) if (setting !== undefined) expect(page).toContain(`| \`${setting}\` | `);
});
