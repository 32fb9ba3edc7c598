/** `signalbox <command>`: finds the command, prints its help, and turns failures into one line and an exit code (0 done, 1 failed, 2 wrong words). */

import { SettingError } from "../config/config.ts";
import { NewerDatabaseError } from "../database/migrate.ts";
import { type Command, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";

export const runCommand = async (argv: string[], environment: Record<string, string | undefined>): Promise<number> => {
  const { command, rest } = find(argv);
  try {
    if (command === undefined) {
      process.stderr.write(`There is no command "${argv[0]}".\n\n${overview()}`);
      return 2;
    }
    if (rest.includes("--help") || rest.includes("-h")) {
      process.stdout.write(`${helpOf(command)}\n`);
      return 0;
    }
    return await command.run(rest, environment);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${command ? helpOf(command) : overview()}\n`);
      return 2;
    }
    if (error instanceof SettingError || error instanceof NewerDatabaseError) {
      process.stderr.write(`signalbox: ${error.message}\n`);
      return 1;
    }
    process.stderr.write(`signalbox: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};

/** The longest name that fits wins: `keys create` before `keys`. No words at all, or a flag first, means `serve`. */
const find = (argv: string[]): { command: Command | undefined; rest: string[] } => {
  if (argv[0] === "help" || argv[0] === "--help" || argv[0] === "-h") {
    const asked = COMMANDS.find(({ name }) => name === argv.slice(1).join(" "));
    return {
      command: {
        name: "help",
        summary: "",
        usage: "",
        run: async () => (process.stdout.write(asked ? `${helpOf(asked)}\n` : overview()), 0),
      },
      rest: [],
    };
  }
  if (argv[0] === "--version" || argv[0] === "-v")
    return { command: COMMANDS.find(({ name }) => name === "version"), rest: argv.slice(1) };
  if (argv.length === 0 || argv[0]!.startsWith("-"))
    return { command: COMMANDS.find(({ name }) => name === "serve"), rest: argv };
  for (const words of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === argv.slice(0, words).join(" "));
    if (command !== undefined) return { command, rest: argv.slice(words) };
  }
  return { command: undefined, rest: [] };
};

const helpOf = (command: Command): string =>
  [command.summary, "", `Usage: signalbox ${command.usage}`, ...(command.options ? ["", "Options:", command.options] : [])].join(
    "\n",
  );

const overview = (): string => {
  const shown = COMMANDS.filter(({ hidden }) => !hidden);
  const width = Math.max(...shown.map(({ name }) => name.length)) + 2;
  return [
    "Signalbox: a self-hosted AI gateway. One executable, one SQLite file.",
    "",
    "Usage: signalbox [command] [options]      (no command: serve)",
    "",
    "Commands:",
    ...shown.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    "",
    "`signalbox help <command>` tells more. Every command takes --db FILE and --config FILE; those that print data take --json.",
    "",
  ].join("\n");
};
