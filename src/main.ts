/** The command line's door: hands the words over to the command they name. */

import { raiseRequestCeiling } from "./lib/raise-request-ceiling.ts";

const words = process.argv.slice(2);
// A server starts itself anew with a higher ceiling: before anything else is loaded, since it is all loaded again.
if (words.length === 0 || words[0] === "serve" || /^--?(?:host|port|db|config)\b/.test(words[0]!))
  raiseRequestCeiling(process.env);

// `signalbox models list | head` ends quietly when head has seen enough.
process.stdout.on("error", ({ code }: { code?: string }) => process.exit(code === "EPIPE" ? 0 : 1));
const { runCommand } = await import("./cli/run-command.ts");
process.exitCode = await runCommand(words, process.env);
