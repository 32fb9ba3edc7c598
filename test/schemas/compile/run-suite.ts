/** Reads the JSON-Schema-Test-Suite from the workplace's data, and counts what our checks get right. Used by the test and by `eval:json`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type CompiledSchema, compileSchema } from "../../../src/schemas/compile/compile-schema.ts";

const SUITE_FOLDER = join(import.meta.dir, "../../../../shared/data/json-schema-suite");
export const suiteIsThere = (): boolean => existsSync(SUITE_FOLDER);

type Group = { description: string; schema: object | boolean; tests: { description: string; data: unknown; valid: boolean }[] };
type SuiteCount = { passed: number; total: number; failures: string[] };

const DRAFTS = {
  "draft-07": { folder: "draft7", $schema: "http://json-schema.org/draft-07/schema#" },
  "2020-12": { folder: "draft2020-12", $schema: "https://json-schema.org/draft/2020-12/schema" },
} as const;

const filesIn = (folder: string, options: { recursive?: boolean } = {}): string[] =>
  readdirSync(folder, { ...options, encoding: "utf8" }).filter((name) => name.endsWith(".json"));

/** `part` is "" for the required tests, or "optional". Schemas that need another document are left out: here none is ever fetched. */
export const runSuite = (draft: keyof typeof DRAFTS, part = ""): SuiteCount => {
  const { folder, $schema } = DRAFTS[draft];
  const count: SuiteCount = { passed: 0, total: 0, failures: [] };
  const path = join(SUITE_FOLDER, "tests", folder, part);
  const others = filesIn(join(SUITE_FOLDER, "remotes"), { recursive: true }).map((other) => basename(other));
  for (const file of filesIn(path)) {
    for (const group of JSON.parse(readFileSync(join(path, file), "utf8")) as Group[]) {
      const text = JSON.stringify(group.schema);
      if (others.some((other) => text.includes(other))) continue;
      const schema = typeof group.schema === "object" ? { $schema, ...group.schema } : group.schema;
      runGroup({ ...group, schema }, file, count);
    }
  }
  return count;
};

const runGroup = ({ description, schema, tests }: Group, file: string, count: SuiteCount): void => {
  const compiled = compiledOf(schema);
  for (const { description: what, data, valid } of tests) {
    count.total++;
    if (compiled?.check(data).valid === valid) count.passed++;
    else count.failures.push(`${file}: ${description}: ${what}`);
  }
};

/** Undefined for a schema that is refused. */
const compiledOf = (schema: unknown): CompiledSchema | undefined => {
  try {
    return compileSchema(schema);
  } catch {
    return undefined;
  }
};
