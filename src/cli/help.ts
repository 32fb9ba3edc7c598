/** The help that `--help`, `help` and wrong arguments print. */

import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";

export const helpOf = ({ name, summary, words = [], usage = [name, ...words].join(" "), options }: Command): string =>
  [summary, "", `Usage: signalbox ${usage}`, ...(options ? ["", "Options:", columns(options)] : []), ""].join("\n");

/** Of all commands, or of those that begin with a word (`keys`). */
export const overview = (): string =>
  [
    "Signalbox: a self-hosted AI gateway. One executable, one SQLite file.",
    "",
    "Usage: signalbox [command] [options]      (no command: serve)",
    "",
    "Commands:",
    list(COMMANDS),
    "",
    "`signalbox help <command>` tells more. Every command takes --db FILE and --config FILE; those that print data take --json.",
    "",
  ].join("\n");

/** Undefined if no command begins with the word. */
export const familyHelp = (word: string | undefined): string | undefined => {
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
  return family.length === 0 ? undefined : `Usage: signalbox ${word} <command>\n\nCommands:\n${list(family)}\n`;
};

const list = (commands: readonly Command[]): string =>
  columns(commands.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary]));

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`).join("\n");
};
