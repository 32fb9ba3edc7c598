/**
 * Loads sqlite-vec. An executable cannot `dlopen` from its virtual folder, so the library is first written beside the
 * database under its own name. Where no extension can load (macOS' own SQLite) SQL goes without vector functions; search never needs them.
 */

import type { Database as Connection } from "bun:sqlite";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
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
 * The name carries a digest, so that an upgrade never loads the library of the version before. Throws where others could have put something
 * in its place: what is loaded runs as whoever looks into the database, which may lie in a folder like /tmp, or be another user's.
 */
export const unpackLibrary = (virtualPath: string, dataFolder: string): string => {
  const bytes = readFileSync(virtualPath);
  const folder = join(dataFolder, "native");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const us = process.getuid?.();
  if (us !== undefined && statSync(folder).uid !== us) throw new Error(`${folder} is another user's.`);
  const extension = basename(virtualPath).split(".").at(-1);
  const target = join(folder, `vec0-${Bun.hash(bytes).toString(16)}.${extension}`);
  if (!existsSync(target) || !readFileSync(target).equals(bytes)) placeFile(target, (partial) => writeFileSync(partial, bytes));
  return target;
};
