/** `signalbox <command>`: finds the command, and turns failures into one line and an exit code (0 done, 1 failed, 2 wrong arguments). */

import { asThisUser } from "../lib/this-user.ts";
import { type Command, readWords, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { familyHelp, helpOf, overview } from "./help.ts";

const HELP_FLAGS = ["--help", "-h"];

export const runCommand = async (argv: string[], environment: Record<string, string | undefined>): Promise<number> => {
  const [first = ""] = argv;
  if (first === "help" || HELP_FLAGS.includes(first)) return help(argv.slice(1));
  const { command, rest } = find(argv);
  if (command === undefined) {
    const [, second = ""] = argv;
    const family = familyHelp(first);
    if (family === undefined) return unknown(first);
    if (HELP_FLAGS.includes(second)) return say(family);
    return second === "" || second.startsWith("-") ? complain(family) : unknown(`${first} ${second}`, family);
  }
  if (rest.some((word) => HELP_FLAGS.includes(word))) return say(helpOf(command));
  try {
    const given = readWords(rest, command);
    const run = await command.load();
    return await run(given, environment);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${helpOf(command)}`);
      return 2;
    }
    process.stderr.write(`signalbox: ${inOneLine(error)}\n`);
    return 1;
  }
};

/** The help for the words before any option. */
const help = (words: string[]): number => {
  const firstOption = words.findIndex((word) => word.startsWith("-"));
  const asked = firstOption < 0 ? words : words.slice(0, firstOption);
  const command = COMMANDS.find(({ name }) => name === asked.join(" "));
  const text = command ? helpOf(command) : asked.length === 0 ? overview() : familyHelp(asked[0]);
  return text === undefined ? unknown(asked.join(" ")) : say(text);
};

const unknown = (words: string, known = overview()): number => complain(`There is no command "${words}".\n\n${known}`);

const complain = (text: string): number => {
  process.stderr.write(text);
  return 2;
};

const say = (text: string): number => {
  process.stdout.write(text);
  return 0;
};

/** The longest name that fits wins: `keys create` before `keys`. No words at all, or a flag first, means `serve`. */
const find = (argv: string[]): { command: Command | undefined; rest: string[] } => {
  const named = (name: string) => COMMANDS.find((command) => command.name === name);
  if (argv[0] === "--version" || argv[0] === "-v") return { command: named("version"), rest: argv.slice(1) };
  if (argv.length === 0 || argv[0]!.startsWith("-")) return { command: named("serve"), rest: argv };
  for (const words of [2, 1]) {
    const command = argv.length >= words ? named(argv.slice(0, words).join(" ")) : undefined;
    if (command !== undefined) return { command, rest: argv.slice(words) };
  }
  return { command: undefined, rest: [] };
};

const FILE_REASONS: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: `may not be read or written${asThisUser}`,
  EROFS: "lies on a disk that may only be read",
  EISDIR: "is a folder",
  ENOTDIR: "is inside something that is not a folder",
  EEXIST: "exists already",
  ENOSPC: "does not fit on the disk",
};

const inOneLine = (error: unknown): string => {
  const { code, path, message } = error as { code?: string; path?: string; message?: string };
  const reason = FILE_REASONS[code ?? ""];
  return path !== undefined && reason !== undefined ? `${path} ${reason}.` : (message ?? String(error));
};
