/** How this program starts itself again: as the compiled executable, or as a script under Bun. */

import { dirname, join } from "node:path";

/** True inside a `bun build --compile` executable, whose files live in a virtual folder. */
export const isCompiled = import.meta.path.includes("$bunfs") || import.meta.path.includes("~BUN");

/** The argv that runs `signalbox <args>` in a child process. */
export const selfCommand = (args: string[]): string[] =>
  isCompiled ? [process.execPath, ...args] : [process.execPath, "run", join(dirname(import.meta.path), "../main.ts"), ...args];

/**
 * The location of a worker, by its path in src/. In an executable every entry point keeps that path, but this module does not keep its own.
 */
export const workerUrl = (pathInSrc: string): string =>
  new URL(isCompiled ? `./${pathInSrc}` : `../${pathInSrc}`, import.meta.url).href;
