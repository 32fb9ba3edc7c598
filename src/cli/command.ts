/** The type of a command, how its arguments are read, and how its result is told. */

import { parseArgs } from "node:util";
import { isName, NAME_RULE } from "../accounts/project.ts";
import type { Environment } from "../config/config.ts";
import { DEFAULTS } from "../config/defaults.ts";

/** An option as the help shows it (`--port PORT`, or `--force` without a value), and its meaning. */
export type Option = readonly [words: string, meaning: string];

/** The options of a command line by name, and its other words, as many as the command needs. */
export type Given = { values: any; positionals: string[] };

export type Command = {
  name: string;
  summary: string;
  /** What it takes besides its options, such as FILE; in brackets what may be left out. */
  words?: readonly string[];
  /** How it is called, where its name and words do not say all of it. */
  usage?: string;
  options?: readonly Option[];
  /** Started by the program itself, not by people. */
  hidden?: boolean;
  load(): Promise<(given: Given, environment: Environment) => Promise<number>>;
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

/** Reads a command line by the words and options that the command's help shows. Throws UsageError. */
export const readWords = (given: string[], { options = [], words = [] }: Command): Given => {
  const own = options.flatMap(([text]) => [...text.matchAll(/--([a-z-]+)( \S+)?/g)]);
  const types = own.map(([, name, value]) => [name, { type: value === undefined ? "boolean" : "string" }] as const);
  try {
    const parsed = parseArgs({
      args: given,
      options: { ...COMMON, ...Object.fromEntries(types) },
      allowPositionals: true,
      strict: true,
    });
    const { positionals } = parsed;
    if (positionals.length > words.length) throw new UsageError(`Unexpected word "${positionals[words.length]}".`);
    const missing = words.find((word, place) => !positionals[place]?.trim() && !word.startsWith("["));
    if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The rest of Node's message explains its own parser.
    throw new UsageError((error as Error).message.split(". ")[0]!);
  }
};

/** `option`: its name in errors. Case does not matter, because people write `Pro`. Throws UsageError. */
export const requireWord = <Word extends string>(option: string, text: string, words: readonly Word[]): Word => {
  const word = words.find((known) => known === text.toLowerCase());
  if (word !== undefined) return word;
  throw new UsageError(`${option} is "${text}"; it may be ${words.join(", ")}.`);
};

/** `a,b`. Throws UsageError. */
export const requireWords = <Word extends string>(option: string, text: string, words: readonly Word[]): Word[] =>
  wordsOf(text).map((word) => requireWord(option, word, words));

export const wordsOf = (text: string): string[] => text.split(",").map((word) => word.trim());

/** The name of a new project or key. */
export const requireName = (option: string, text: string): string => {
  if (isName(text)) return text;
  throw new UsageError(`${option} is ${JSON.stringify(text)}; it may be ${NAME_RULE}.`);
};

/** Throws UsageError. */
export const readCount = (option: string, text: string, most: number): number => {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count;
  throw new UsageError(`${option} is "${text}"; it may be a whole number from 1 to ${most}.`);
};

export const printJson = (value: unknown): number => say(JSON.stringify(value, null, 2));

/** Prints a result as JSON where that is asked for, else in words. Returns the exit code of a command that succeeded. */
export const tell = ({ values }: Given, result: unknown, words: string): number => (values.json ? printJson(result) : say(words));

const say = (text: string): number => {
  process.stdout.write(`${text}\n`);
  return 0;
};

/** Columns as wide as their widest cell. */
export const tableOf = (head: string[], rows: string[][]): string => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const lineOf = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ");
  return [head, ...rows].map((row) => lineOf(row).trimEnd()).join("\n");
};
