/** The entry point: runs the command that the arguments name. */

import { runCommand } from "./cli/run-command.ts";

// `signalbox models list | head` ends quietly when head has seen enough.
process.stdout.on("error", ({ code }: { code?: string }) => process.exit(code === "EPIPE" ? 0 : 1));
process.exitCode = await runCommand(process.argv.slice(2), process.env);
