/** Makes the folder of a file that is about to be written. */

import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The whole path, because on Windows the runtime refuses to make `.`, the folder of a bare name, as if that were a file. */
export const makeFolderOf = (path: string): void => {
  mkdirSync(dirname(resolve(path)), { recursive: true });
};
