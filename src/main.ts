/** The entry point: runs the command that the arguments name. */

import { runCommand } from "./cli/run-command.ts";

// `signalbox models list | head` ends quietly when head has seen enough.
process.stdout.on("error", ({ code, message }: { code?: string; message: string }) => {
  if (code === "EPIPE") process.exit(0);
  process.stderr.write(`signalbox: The output cannot be written: ${message}.\n`);
  process.exit(1);
});
process.exitCode = await runCommand(process.argv.slice(2), process.env);
