/** Reads the JSON-Schema-Test-Suite from the workplace's data, and counts what our checks get right. Used by the test and by `eval:json`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CompiledSchema, type CompileOptions, compileSchema } from "../../../src/schemas/compile/compile-schema.ts";

const SUITE_FOLDER = join(import.meta.dir, "../../../../shared/data/json-schema-suite");
export const suiteIsThere = (): boolean => existsSync(SUITE_FOLDER);

type Group = { description: string; schema: unknown; tests: { description: string; data: unknown; valid: boolean }[] };
type SuiteCount = { passed: number; total: number; failures: string[] };

const DRAFTS = { "draft-07": "draft7", "2020-12": "draft2020-12" } as const;

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** The suite's other documents under the address it gives them; those of other drafts are left out. */
const readDocuments = (folder: string): Record<string, unknown> => {
  const remotes = join(SUITE_FOLDER, "remotes");
  const documents: Record<string, unknown> = {};
  for (const path of readdirSync(remotes, { recursive: true, encoding: "utf8" })) {
    const isForeign = /^(?:draft|v1)/.test(path) && !path.startsWith(`${folder}/`);
    if (path.endsWith(".json") && !isForeign) documents[`http://localhost:1234/${path}`] = readJson(join(remotes, path));
  }
  return documents;
};

/** `part` is "" for the required tests, or "optional", "optional/format". */
export const runSuite = (dialect: keyof typeof DRAFTS, part = ""): SuiteCount => {
  const folder = DRAFTS[dialect];
  const options = { dialect, documents: readDocuments(folder), assertFormats: part.endsWith("format") };
  const count: SuiteCount = { passed: 0, total: 0, failures: [] };
  const path = join(SUITE_FOLDER, "tests", folder, part);
  for (const file of readdirSync(path).filter((name) => name.endsWith(".json"))) {
    for (const group of readJson(join(path, file)) as Group[]) runGroup(group, file, options, count);
  }
  return count;
};

const runGroup = ({ description, schema, tests }: Group, file: string, options: CompileOptions, count: SuiteCount): void => {
  const compiled = compiledOf(schema, options);
  for (const { description: what, data, valid } of tests) {
    count.total++;
    if (compiled?.check(data).valid === valid) count.passed++;
    else count.failures.push(`${file}: ${description}: ${what}`);
  }
};

/** Undefined for a schema that is refused. */
const compiledOf = (schema: unknown, options: CompileOptions): CompiledSchema | undefined => {
  try {
    return compileSchema(schema, options);
  } catch {
    return undefined;
  }
};
