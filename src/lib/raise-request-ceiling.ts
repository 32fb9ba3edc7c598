/** Bun sends at most 256 requests at once unless its environment says otherwise at the start; so the program starts itself anew with more. */

import { selfCommand } from "./self.ts";

const VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";
const CEILING = "20000";

/** Replaces this process (same id, same files) where the variable is not set; returns where it is, or where it cannot be done. */
export const raiseRequestCeiling = (environment: Record<string, string | undefined>): void => {
  if (environment[VARIABLE] !== undefined || process.platform === "win32") return;
  const [program, ...words] = selfCommand(process.argv.slice(2));
  try {
    (process as any).execve(program, [program, ...words], { ...environment, [VARIABLE]: CEILING });
  } catch {
    // Not every platform can; 256 requests at once are then the ceiling.
  }
};
