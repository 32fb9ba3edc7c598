/**
 * Loads sqlite-vec. An executable cannot `dlopen` from its virtual folder, so the library is first written beside the database. Where
 * extensions cannot be loaded (macOS' own SQLite), SQL has no vector functions; search never needs them.
 */

import type { Database as Connection } from "bun:sqlite";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { placeFile } from "../lib/place-file.ts";
import { isCompiled } from "../lib/self.ts";
import libraryPath from "./vec0-library.ts";

export const loadVectorExtension = (connection: Connection, dataFolder: string): boolean => {
  if (libraryPath === null) return false;
  try {
    connection.loadExtension(isCompiled ? unpackLibrary(libraryPath, dataFolder) : libraryPath, "sqlite3_vec_init");
    return true;
  } catch {
    return false;
  }
};

/**
 * The name contains a digest, so that an upgrade never loads the previous version's library. Throws if others could have replaced it: it
 * would run with our rights, while the database may lie in a folder like /tmp, or be another user's.
 */
export const unpackLibrary = (virtualPath: string, dataFolder: string): string => {
  const bytes = readFileSync(virtualPath);
  // The whole path: Windows would look for a library with a relative one in other folders first.
  const folder = resolve(dataFolder, "native");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const us = process.getuid?.();
  if (us !== undefined && statSync(folder).uid !== us) throw new Error(`${folder} is another user's.`);
  const extension = basename(virtualPath).split(".").at(-1);
  const target = join(folder, `vec0-${Bun.hash(bytes).toString(16)}.${extension}`);
  if (!existsSync(target) || !readFileSync(target).equals(bytes)) placeFile(target, (partial) => writeFileSync(partial, bytes));
  return target;
};
