/** A bench's page in bench/results: what was measured, how and on what, as a table. What people have written below it stays when it is measured anew. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, resolve } from "node:path";

export const BY_HAND = "<!-- What follows is written by hand, and stays when the figures above are measured anew. -->";

type Report = {
  /** Prints the row, too: some of these take an hour. */
  row(...cells: unknown[]): void;
  /** A paragraph below the table. */
  note(text: string): void;
  /** Writes the page: `file` is a name in bench/results, or a path of one's own. */
  save(file: string): void;
};

/** `command`: what measures the same again. `how`: what else must be known to compare the figures, in a few words. */
export const startReport = (
  title: string,
  { command, how, columns = ["What", "Figure", "Goal"] }: { command: string; how?: string; columns?: readonly string[] },
): Report => {
  const line = (cells: readonly unknown[]): string => `| ${cells.map((cell) => cell ?? "").join(" | ")} |`;
  const rows = [line(columns), line(columns.map(() => "---"))];
  const notes: string[] = [];
  console.log(`${title}\n\n${rows.join("\n")}`);
  return {
    row: (...cells) => {
      rows.push(line(columns.map((_, at) => cells[at])));
      console.log(rows.at(-1));
    },
    note: (text) => {
      notes.push(text);
      console.log(`\n${text}`);
    },
    save: (file) => {
      const path = resolve(import.meta.dir, "results", file);
      const measured = `Measured ${new Date().toISOString().slice(0, 10)}, Bun ${Bun.version}, \`${command}\`${how === undefined ? "" : `; ${how}`}; ${cpus().length} cores, load average ${loadavg()[0]!.toFixed(1)} at the end.`;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `# ${title}\n\n${[measured, rows.join("\n"), ...notes].join("\n\n")}\n\n${BY_HAND}\n${byHand(path)}`);
    },
  };
};

const byHand = (path: string): string => {
  const written = existsSync(path) ? readFileSync(path, "utf8") : "";
  const at = written.indexOf(BY_HAND);
  return at < 0
    ? ""
    : written
        .slice(at + BY_HAND.length)
        .trimStart()
        .replace(/^(?=.)/s, "\n");
};
