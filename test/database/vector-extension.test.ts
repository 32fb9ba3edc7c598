/** The library that an executable unpacks beside the database is loaded only where nobody else can have put it there. */

import { afterAll, expect, test } from "bun:test";
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unpackLibrary } from "../../src/database/vector-extension.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-native-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const library = join(folder, "vec0.so");
writeFileSync(library, "the library");

test("what lies there under its name is replaced unless it is the library itself", () => {
  const unpacked = unpackLibrary(library, folder);
  expect(statSync(dirname(unpacked)).mode & 0o777).toBe(0o700);
  expect(readFileSync(unpacked, "utf8")).toBe("the library");
  writeFileSync(unpacked, "something else");
  expect(unpackLibrary(library, folder)).toBe(unpacked);
  expect(readFileSync(unpacked, "utf8")).toBe("the library");
});

// Only root can give a folder away.
test.skipIf(process.getuid?.() !== 0)("from another user's folder nothing is loaded", () => {
  chownSync(join(folder, "native"), 65_534, 65_534);
  expect(() => unpackLibrary(library, folder)).toThrow("is another user's");
});
