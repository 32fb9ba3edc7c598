/** The command line's door: hands the words over to the command they name. */

import { runCommand } from "./cli/run-command.ts";

// `signalbox models list | head` ends quietly when head has seen enough.
process.stdout.on("error", ({ code }: { code?: string }) => process.exit(code === "EPIPE" ? 0 : 1));
process.exitCode = await runCommand(process.argv.slice(2), process.env);
