/** Files that a command makes for the server, when it was run as another user than the server. */

import { chownSync, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What root makes belongs to whom the file `beside` does, or its folder does if there is no such file: the server runs as that user, and could
 * not open it.
 */
export const leaveToOwner = (made: string, beside: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(beside) ? beside : dirname(beside));
  if (uid !== 0) chownSync(made, uid, gid);
};
