/**
 * Loads sqlite-vec. An executable cannot `dlopen` from its virtual folder, so the library is first written beside the
 * database under its own name. Where no extension can load (macOS' own SQLite) SQL goes without vector functions; search never needs them.
 */

import type { Database as Connection } from "bun:sqlite";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isCompiled } from "../lib/self.ts";
import libraryPath from "./vec0-library.ts";

export const loadVectorExtension = (connection: Connection, dataFolder: string): boolean => {
  if (libraryPath === null) return false;
  try {
    connection.loadExtension(isCompiled ? unpack(libraryPath, dataFolder) : libraryPath, "sqlite3_vec_init");
    return true;
  } catch {
    return false;
  }
};

/** The name carries a digest, so that an upgrade never loads the library of the version before. */
const unpack = (virtualPath: string, dataFolder: string): string => {
  const bytes = readFileSync(virtualPath);
  const extension = basename(virtualPath).split(".").at(-1);
  const target = join(dataFolder, "native", `vec0-${Bun.hash(bytes).toString(16)}.${extension}`);
  if (!existsSync(target)) {
    mkdirSync(join(dataFolder, "native"), { recursive: true });
    const partial = `${target}.${process.pid}`;
    writeFileSync(partial, bytes, { mode: 0o700 });
    renameSync(partial, target);
  }
  return target;
};
