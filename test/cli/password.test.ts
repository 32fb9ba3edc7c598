/** `signalbox password reset`, beside a running server and alone. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { isAdminPassword, setAdminPassword } from "../../src/accounts/operator.ts";
import { findSession, insertSession } from "../../src/dashboard/sessions/store.ts";
import { openDatabase } from "../../src/database/database.ts";
import { byCommand } from "../../src/history/author.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { commandsIn } from "./commands-in.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();

test("a forgotten password is replaced while the file is served, and all browsers are signed out", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  const db = await openDatabase(join(folder, "data/signalbox.db"));
  await setAdminPassword(db, byCommand(0), "forgotten since");
  await insertSession(db, "hash", { member: null, ip: null, userAgent: null }, 0);
  const { password } = await json("password reset");
  expect(password).toMatch(/^\w{20}$/);
  expect(await isAdminPassword(db, undefined, "forgotten since")).toBe(false);
  expect(await isAdminPassword(db, undefined, password)).toBe(true);
  expect(findSession(db, "hash")).toBeUndefined();
  expect((await run("password reset")).stdout).toMatch(/^\w{20}\n\nThis is the dashboard's password from now on/);
  await db.close();
});

test("a password is not reset where none can be", async () => {
  const { run } = commandsIn(newFolder());
  expect(await run("password reset")).toMatchObject({
    code: 1,
    stderr: "signalbox: There is no database at data/signalbox.db; name the server's with --db or SIGNALBOX_DB.\n",
  });
  expect(await run("password reset", { SIGNALBOX_ADMIN_PASSWORD: "from elsewhere" })).toMatchObject({
    code: 1,
    stderr: "signalbox: SIGNALBOX_ADMIN_PASSWORD is the password; change it there.\n",
  });
});
