/** Where a path leads that may be a symbolic link. The file at its end need not be there yet. */

import { readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";

const MOST_LINKS = 40;

/** The path itself where it is no link, or leads in a circle. */
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
