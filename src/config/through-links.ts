/** Resolves a path that may be a symbolic link. The target need not exist yet. */

import { readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";

const MOST_LINKS = 40;

/** Returns the path itself if it is not a link, or leads in a circle. */
export const throughLinks = (path: string): string => {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    try {
      at = resolve(dirname(at), readlinkSync(at));
    } catch {
      return at;
    }
  }
  return path;
};
