/** The type of a command, and how its arguments are read. */

import { parseArgs } from "node:util";
import { isName, NAME_RULE } from "../accounts/project.ts";
import type { Environment } from "../config/config.ts";
import { DEFAULTS } from "../config/defaults.ts";
import { isTier, TIERS, type Tier } from "../limits/tiers.ts";

/** An option as the help shows it (`--port PORT`, or `--force` without a value), and its meaning. */
export type Option = readonly [words: string, meaning: string];

/** The options of a command line by name, and its other words. */
export type Given = { values: any; positionals: string[] };

export type Command = {
  name: string;
  summary: string;
  usage: string;
  options?: readonly Option[];
  /** How many words it takes besides its options; none by default. */
  words?: number;
  /** Started by the program itself, not by people. */
  hidden?: boolean;
  run(given: Given, environment: Environment): Promise<number>;
};

/** Wrong arguments: answered with the command's help and exit code 2. */
export class UsageError extends Error {}

const COMMON = { db: { type: "string" }, config: { type: "string" }, json: { type: "boolean" } } as const;

export const FILE_OPTIONS: readonly Option[] = [
  ["--db FILE", `the SQLite file (default ${DEFAULTS.databasePath})`],
  ["--config FILE", `the settings file (default ${DEFAULTS.settingsPath})`],
];
export const JSON_OPTION: Option = ["--json", "print JSON"];
/** Options of most commands. */
export const COMMON_OPTIONS: readonly Option[] = [...FILE_OPTIONS, JSON_OPTION];

/** Reads a command line by the options that the command's help shows. Throws UsageError. */
export const readWords = (words: string[], { options = [], words: most = 0 }: Command): Given => {
  const own = options.flatMap(([text]) => [...text.matchAll(/--([a-z-]+)( \S+)?/g)]);
  const types = own.map(([, name, value]) => [name, { type: value === undefined ? "boolean" : "string" }] as const);
  try {
    const parsed = parseArgs({
      args: words,
      options: { ...COMMON, ...Object.fromEntries(types) },
      allowPositionals: true,
      strict: true,
    });
    if (parsed.positionals.length > most) throw new UsageError(`Unexpected word "${parsed.positionals[most]}".`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The rest of Node's message explains its own parser.
    throw new UsageError((error as Error).message.split(". ")[0]!);
  }
};

/** `option`: its name in errors. Case does not matter, because people write `Pro`. Throws UsageError. */
export const requireTierName = (option: string, text: string): Tier => {
  const name = text.toLowerCase();
  if (isTier(name)) return name;
  throw new UsageError(`${option} is "${text}"; it may be ${TIERS.join(", ")}.`);
};

/** The name of a new project or key. */
export const requireName = (option: string, text: string): string => {
  if (isName(text)) return text;
  throw new UsageError(`${option} is ${JSON.stringify(text)}; it may be ${NAME_RULE}.`);
};

export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** Columns as wide as their widest cell. */
export const printTable = (head: string[], rows: string[][]): void => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [head, ...rows])
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()}\n`,
    );
};
