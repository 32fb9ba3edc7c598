/** What SQLite refuses is said in words that a person can do something with. */

import { expect, test } from "bun:test";
import { openOrExplain } from "../../src/database/unusable-file.ts";

const refusing = (code: string) => () =>
  openOrExplain("my.db", () => {
    throw Object.assign(new Error("disk I/O error"), { code });
  });

test("every failure of the disk names the file", () => {
  for (const code of ["SQLITE_IOERR", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_WRITE"])
    expect(refusing(code)).toThrow("The database my.db cannot be used: the disk is full, or cannot be read or written.");
  expect(refusing("SQLITE_IOERR_READ")).toThrow("it is a folder, or the disk cannot be read");
  if (process.getuid !== undefined)
    expect(refusing("EACCES")).toThrow(`its folder may not be written as user ${process.getuid()}.`);
  // A single file mounted into a container can be written, but not renamed.
  expect(refusing("EBUSY")).toThrow("it is mounted by itself; mount its folder instead");
});

test("what is no matter of the file is thrown as it is", () => {
  expect(refusing("SQLITE_ERROR")).toThrow("disk I/O error");
});
