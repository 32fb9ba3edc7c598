/** `bun run eval:json`: conformance of the schema checks, the repair against plain jsonrepair on our cases, and timing; written to eval/results/json-<date>.md. */
import { join } from "node:path";
import { jsonrepair } from "jsonrepair";
import { compileSchema } from "../../src/schemas/compile/compile-schema.ts";
import { repairJson } from "../../src/schemas/repair/repair-json.ts";
import { NOT_JSON, REPAIR_CASES, type RepairCase } from "../../test/fixtures/json/repair-cases.ts";
import { runSuite, suiteIsThere } from "../../test/schemas/compile/run-suite.ts";

const root = join(import.meta.dir, "../..");

type Reader = (text: string) => unknown;

const ours: Reader = (text) => {
  const repaired = repairJson(text);
  return repaired.ok ? repaired.value : NOT_JSON;
};

const plain: Reader = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
};

const theirs: Reader = (text) => {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return NOT_JSON;
  }
};

/** jsonrepair behind the usual stripping: thinking, fences, and what stands around the outermost braces. */
const theirsStripped: Reader = (text) => {
  const spoken = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, "").trim();
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(spoken)?.[1] ?? spoken;
  const from = fenced.search(/[{[]/);
  return from < 0
    ? NOT_JSON
    : theirs(fenced.slice(from, Math.max(fenced.lastIndexOf("}"), fenced.lastIndexOf("]")) + 1 || undefined));
};

const isRight = (read: Reader, [, text, value]: RepairCase): boolean => Bun.deepEquals(read(text), value, true);

const share = (right: number, total: number): string => `${right}/${total} (${((100 * right) / total).toFixed(1)} %)`;

const repairTable = (): string => {
  const readers: [string, Reader][] = [
    ["ours", ours],
    ["jsonrepair", theirs],
    ["jsonrepair, stripped", theirsStripped],
    ["JSON.parse", plain],
  ];
  const families = [...new Set(REPAIR_CASES.map(([family]) => family))];
  const row = (name: string, cases: readonly RepairCase[]): string =>
    `| ${name} | ${readers.map(([, read]) => share(cases.filter((each) => isRight(read, each)).length, cases.length)).join(" | ")} |`;
  const rows = families.map((family) =>
    row(
      family,
      REPAIR_CASES.filter(([name]) => name === family),
    ),
  );
  return [
    `| family | ${readers.map(([name]) => name).join(" | ")} |`,
    `|---|${readers.map(() => "---|").join("")}`,
    ...rows,
    row("**all**", REPAIR_CASES),
  ].join("\n");
};

const suiteTable = (): string => {
  if (!suiteIsThere()) return "The JSON-Schema-Test-Suite is not here.";
  const rows = (["draft-07", "2020-12"] as const).map((dialect) => {
    const counts = ["", "optional"].map((part) => runSuite(dialect, part));
    return `| ${dialect} | ${counts.map(({ passed, total }) => share(passed, total)).join(" | ")} |`;
  });
  return ["| draft | required | optional |", "|---|---|---|", ...rows].join("\n");
};

/** The fastest of several runs: other work on the machine only ever adds. */
const fastestMs = (work: () => unknown, times: number): number => {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run++) {
    const startedAt = performance.now();
    work();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
};

const INVOICE = {
  type: "object",
  required: ["number", "lines"],
  properties: {
    number: { type: "string", pattern: "^[A-Z]{2}-\\d{4}$" },
    currency: { enum: ["EUR", "USD"] },
    lines: {
      type: "array",
      items: { type: "object", required: ["text"], properties: { text: { type: "string" }, cents: { type: "integer" } } },
    },
  },
};
const INVOICE_VALUE = {
  number: "AB-1234",
  currency: "EUR",
  lines: [
    { text: "tea", cents: 300 },
    { text: "milk", cents: 90 },
  ],
};
const HOSTILE = [
  "{",
  '{"a":[',
  '"',
  '" ',
  'x" y ',
  '"a":"x" ',
  '"a":"x, ',
  "\\",
  "//",
  "a: b, ",
  "f(",
  "{{",
  "1 ",
  "<think>",
  "Use {name} for ",
  "“x” ",
  '{"a":1}',
];

const timingTable = (): string => {
  const compiled = compileSchema(INVOICE);
  const answer = `Sure!\n\`\`\`json\n${JSON.stringify(INVOICE_VALUE, null, 2).replace(/"/g, "'")}\n\`\`\``;
  const hostileMs = HOSTILE.map((piece) => {
    const text = `{"a":"${piece.repeat(Math.floor(1_000_000 / piece.length))}`.slice(0, 1_000_000);
    return [piece, fastestMs(() => repairJson(text), 1)] as const;
  });
  const slowest = hostileMs.reduce((worst, each) => (each[1] > worst[1] ? each : worst));
  const rows: [string, string][] = [
    ["compile the invoice schema", `${(fastestMs(() => compileSchema(INVOICE), 50) * 1000).toFixed(0)} µs`],
    ["check an invoice", `${(fastestMs(() => compiled.check(INVOICE_VALUE), 2_000) * 1000).toFixed(1)} µs`],
    ["repair a fenced, single-quoted invoice", `${(fastestMs(() => repairJson(answer), 500) * 1000).toFixed(0)} µs`],
    [`slowest of ${HOSTILE.length} hostile texts of 1 MB (\`${slowest[0]}\`)`, `${slowest[1].toFixed(0)} ms`],
  ];
  return ["| work | time |", "|---|---|", ...rows.map(([name, time]) => `| ${name} | ${time} |`)].join("\n");
};

const date = new Date().toISOString().slice(0, 10);
const report = `# Schemas and repair, ${date}

JSON-Schema-Test-Suite, without the schemas that need another document:

${suiteTable()}

${REPAIR_CASES.length} answers as models write them (test/fixtures/json/repair-cases.ts, our own), read as a careful reader would. The family
\`mixed\` was written after the reader as a blind test: 111 of 118 were right before what it showed was mended.

${repairTable()}

${timingTable()}
`;
await Bun.write(join(root, `eval/results/json-${date}.md`), report);
console.log(report);
