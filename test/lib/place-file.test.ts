/** Files that appear whole, and a key file that is never empty. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeFile } from "../../src/lib/place-file.ts";
import { openSeal, seal, sealingKey, unsealingKey } from "../../src/lib/seal.ts";
import { folderOfFile } from "../support/folder-of-file.ts";

const folder = folderOfFile();

test("a file that cannot be filled leaves the one before it, and nothing else", () => {
  const path = join(folder, "letter");
  placeFile(path, (partial) => writeFileSync(partial, "whole"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() =>
    placeFile(path, (partial) => {
      writeFileSync(partial, "hal");
      throw new Error("no room");
    }),
  ).toThrow("no room");
  expect(readFileSync(path, "utf8")).toBe("whole");
  expect(readdirSync(folder)).toEqual(["letter"]);
});

test("an empty key file, as a full disk may have left it, is no key", async () => {
  const database = join(folder, "some.db");
  writeFileSync(`${database}.key`, "");
  const sealed = await seal(await sealingKey(undefined, database), "sk-1", "provider:openai");
  expect(readFileSync(`${database}.key`, "utf8")).toHaveLength(44);
  expect(await openSeal(await unsealingKey("", join(folder, "other.db")), sealed, "provider:openai")).toBeUndefined();
  expect(await openSeal(await unsealingKey(undefined, database), sealed, "provider:openai")).toBe("sk-1");
});
