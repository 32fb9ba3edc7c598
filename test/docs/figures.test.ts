/** Figures that the documentation and the dashboard state stand in the code once; here each page is held against it. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULTS } from "../../src/config/defaults.ts";
import { BOUNDS } from "../../src/limits/bounds.ts";
import { leastTierWith } from "../../src/limits/require-tier.ts";
import { DEFAULT_TIER } from "../../src/limits/tiers.ts";
import { PRIOR_TRIALS } from "../../src/router/learning/learn.ts";
import { MOST_PLACES } from "../../src/router/learning/places.ts";

const mebibytes = (bytes: number): number => bytes / 1_048_576;
const named = (tier: string): string => tier[0]!.toUpperCase() + tier.slice(1);

const STATED: [page: string, words: string][] = [
  ["documents.md", `${named(leastTierWith("Documents"))} and above.`],
  ["documents.md", `at most ${mebibytes(BOUNDS.documentBytes)} MB`],
  ["memory.md", `${named(leastTierWith("Memory"))} and above.`],
  ["memory.md", `The newest ${BOUNDS.sessionMessages.toLocaleString("en-US")} messages are stored.`],
  ["structured-output.md", `the newest ${BOUNDS.schemaVersions} are kept`],
  ["policies.md", `## Content policies (${named(leastTierWith("Content policies"))} and above)`],
  ["media.md", `A video's prompt may have ${BOUNDS.mediaPromptCharacters.toLocaleString("en-US")} characters.`],
  [
    "operations.md",
    `| JSON | ${mebibytes(BOUNDS.jsonBodyBytes)} MiB; ${mebibytes(BOUNDS.mediaBodyBytes)} MiB where it may carry media; ${mebibytes(BOUNDS.documentJsonBodyBytes)} MiB for a document as base64 |`,
  ],
  ["operations.md", `| document, audio | ${mebibytes(BOUNDS.documentBytes)} MB, ${mebibytes(BOUNDS.audioBytes)} MB |`],
  ["operations.md", `| nesting | ${BOUNDS.jsonDepth} levels |`],
  ["operations.md", `(${DEFAULTS.drainSeconds} s)`],
  ["operations.md", `\`${DEFAULTS.databasePath}\``],
  ["operations.md", `the default project is on \`${DEFAULT_TIER}\``],
  ["quick-start.md", `http://${DEFAULTS.host}:${DEFAULTS.port}`],
  ["../src/dashboard/web/pages/documents/upload.tsx", `Up to ${mebibytes(BOUNDS.documentBytes)} MB each`],
  ["routing.md", `this model at it (weighed against ${PRIOR_TRIALS.task} outcomes of prior belief)`],
  ["routing.md", `at that difficulty (${PRIOR_TRIALS.difficulty}), at prompts like this one (${PRIOR_TRIALS.place})`],
  ["routing.md", `at most ${MOST_PLACES}\nplaces`],
];

for (const [page, words] of STATED) {
  test(`${join("docs", page)} says: ${words.replaceAll("\n", " ")}`, () => {
    expect(readFileSync(join(import.meta.dir, "../../docs", page), "utf8")).toContain(words);
  });
}
