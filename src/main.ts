/** The command line's door: hands the words over to the command they name. */

import { runCommand } from "./cli/run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2), process.env);
