/**
 * Folders for the tests of the file that calls this: gone after them. Hooks run in their order, so what works in a folder is ended by a hook
 * above the call.
 */

import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const folderOfFile = (): string => foldersOfFile()();

/** Makes one whenever it is asked. */
export const foldersOfFile = (): (() => string) => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
    folders.push(folder);
    return folder;
  };
};
