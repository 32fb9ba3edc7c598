/** `bun run eval:pii`: precision, recall, clean texts flagged and throughput of the detectors, written to eval/results/pii-<date>.md. */
import { join } from "node:path";
import { compileContentPolicies } from "../../src/policies/content/content-rules.ts";
import { type Review, reviewText } from "../../src/policies/content/review-content.ts";
import type { ContentPolicyConfig } from "../../src/policies/policy.ts";
import { readLabelledTexts } from "../../test/policies/content/labelled-texts.ts";
import { type Case, precision, recall, type Scores, scoreCases } from "./score.ts";

const root = join(import.meta.dir, "../..");

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function table({ byType, micro, texts, cleanTexts, flagged, mistakes }: Scores): string {
  const rows = [...byType, ["**micro**", micro] as const].map(
    ([name, score]) => `| ${name} | ${score.hits + score.missed} | ${percent(precision(score))} | ${percent(recall(score))} |`,
  );
  return `${texts} texts, ${cleanTexts} of them clean; clean texts flagged: ${flagged} (${percent(cleanTexts === 0 ? 0 : flagged / cleanTexts)}).

| type | labelled | precision | recall |
|---|---|---|---|
${rows.join("\n")}
${mistakes.length > 0 ? `\n${mistakes.map((mistake) => `- ${mistake}`).join("\n")}\n` : ""}`;
}

const rulesOf = (config: ContentPolicyConfig) =>
  compileContentPolicies([
    { id: "p", name: "p", type: "content", priority: 1, enabled: true, template: null, createdAtMs: 0, updatedAtMs: 0, config },
  ]);

const PROSE = `The harbour was quiet, and nobody expected the ships before noon in 2024; still, the 12 lamps were lit. Ask the office
(Monday to Friday) about the offer of $1,234.56, or write to office@harbour.example before 04/08/2025. `;
const HOSTILE = [
  "@",
  "a@",
  "a.",
  "1 ",
  "1.",
  "1-",
  "+1 ",
  "(",
  "4444 ",
  "123456789 ",
  "order 123456789 ",
  "10.0.0.1 ",
  "a.b@c.com ",
  "04/08/1947 ",
  "damn ",
];
const TERMS = "damn hell crap idiot moron secret confidential violence weapon gamble casino poker alcohol".split(" ");

const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** The fastest of several runs: other work on the machine only ever adds. */
function fastestMs(run: () => Review, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now();
    run();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

function throughput(): string {
  const all = rulesOf({ pii_detection: { action: "redact" } });
  const withTerms = rulesOf({ pii_detection: { action: "redact" }, blocked_terms: { terms: TERMS, action: "redact" } });
  const row = (name: string, text: string, unit: "ms" | "µs") => {
    const times = [all, withTerms].map((rules) => fastestMs(() => reviewText(rules, text), text.length > 10_000 ? 7 : 2_000));
    return `| ${name} | ${times.map((ms) => (unit === "ms" ? `${ms.toFixed(1)} ms` : `${(ms * 1000).toFixed(0)} µs`)).join(" | ")} |`;
  };
  const hostile = HOSTILE.map((piece) => row(`1 MB of \`${piece}\``, fill(piece, 1_000_000), "ms"));
  return `| text | all types | and ${TERMS.length} blocked terms |
|---|---|---|
${row("an answer of 0.7 KB", fill(PROSE, 700), "µs")}
${row("1 MB of prose", fill(PROSE, 1_000_000), "ms")}
${hostile.join("\n")}`;
}

const sections: string[] = [];
const given = Bun.file(join(root, "../shared/data/pii/cases.jsonl"));
if (await given.exists()) {
  const cases = (await given.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
  sections.push(`## The development cases\n\n${table(scoreCases(cases))}`);
} else console.log("The development cases are not there; only the project's own texts are scored.");
const BLIND = `The families \`stranger\` and \`stranger-clean\` were written after the detectors, as a blind test of 298 texts with personal data
and 431 without: 324 of 333 entities were found and 29 clean texts flagged; after what they showed was mended 329 and 10. \`label\`, a
second one after that: 127 of 138 found and 6 of 34 flagged, then 136 and 1; \`third\` after both: 51 of 52 and 1 of 54, where the
detectors of before found 50 and flagged 11. \`fourth\` is 221 texts: in the half that nobody looked at 103 of 110 came out right, 105 after
the other half was mended, 108 after a look at this one; \`rows\` and \`languages\` belong to that (of 74 clean texts in 15 languages 39 were
flagged at first). \`fifth\` is from 837 more texts, one half with personal data, of which 81 came out differently from their labels and
some 30 of those wrongly. \`sixth\` is from 744: of the half that nobody looked at 341 of 369 came out right, 346 after the other half was mended; of 78
written after both 75, with all 52 entities found. Its last ten lines came from a review: the words added for it had hidden what they name. \`things\` is from 774 texts
in eight languages, after which the word right before nine digits decided instead of a list: of the 441 that nobody looked at 366 came out right with the
list, with 55 numbers taken for social-security numbers, and 415 without it, with 10. \`others\` came of other projects: 520 MB of their manuals,
changelogs, code and logs, 80,000 cases of test suites, and recorded answers. In the half of the texts that nobody looked at, 94 numbers were wrongly
taken for cards and 20 for phone numbers at first, then 3 and none. \`seventh\` is from 1,497 more: of a half of 406 that nobody looked at 384 came out right
and 388 after the other half was mended, of two later halves 56 and 57 of 65, and 48 and 48 of 59. Only what those showed in turn told of whole kinds: of 71
texts written last the detectors of before had 51 right, those of then 58. Labels of events in 30 languages: 50 of 118 at first. What remains (a number that is
said not to be one, an address all in Chinese characters, …) is not among the texts.`;
sections.push(
  `## The project's own texts (test/fixtures/pii/labelled.txt)\n\n${BLIND}\n\n${table(scoreCases(await readLabelledTexts()))}`,
);
sections.push(`## Throughput (fastest of several runs, one thread)\n\n${throughput()}`);

const date = new Date().toISOString().slice(0, 10);
const report = `# Personal data, ${date}\n\nA finding counts where type, start and end are the labelled ones.\n\n${sections.join("\n\n")}\n`;
await Bun.write(join(root, `eval/results/pii-${date}.md`), report);
console.log(report);
