/** docs/configuration.md says what the program reads, all of it. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configurationReference } from "../../release/configuration-reference.ts";
import { VARIABLES } from "../../src/config/variables.ts";

const ROOT = join(import.meta.dir, "../..");

test("the committed page is the generated one (`bun run release/configuration-reference.ts`)", () => {
  expect(readFileSync(join(ROOT, "docs/configuration.md"), "utf8")).toBe(configurationReference());
});

test("every variable that the program reads is in the page's table, and no other", () => {
  const named = ["src/config/config.ts", "src/cli/commands/secret.ts"].flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/"([A-Z][A-Z_]+)"/g)].map(([, name]) => name!),
  );
  expect(Object.keys(VARIABLES).sort()).toEqual([...new Set(named)].sort());
});
