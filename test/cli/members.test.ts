/** `signalbox members`, beside a running server and alone. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { redeemInvitation } from "../../src/accounts/member-store.ts";
import { openDatabase } from "../../src/database/database.ts";
import { byCommand } from "../../src/history/author.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { commandsIn } from "./commands-in.ts";

const newFolder = foldersOfFile();

test("a member is invited, listed, invited again in another role, and removed", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  const db = await openDatabase(join(folder, "data/signalbox.db"));
  const ann = await json("members invite ann");
  expect(ann).toMatchObject({ name: "ann", role: "viewer", state: "invited" });
  expect(ann.link).toMatch(/^http:\/\/127\.0\.0\.1:8484\/dashboard\/invitation\?token=\w{32}$/);
  const again = await json("members invite ann --role admin");
  expect(again).toMatchObject({ role: "admin", state: "invited" });
  expect(await redeemInvitation(db, byCommand(Date.now()), ann.link.slice(-32), "a password of hers")).toBe(false);
  expect(await redeemInvitation(db, byCommand(Date.now()), again.link.slice(-32), "a password of hers")).toBe(true);
  expect(await json("members list")).toMatchObject([{ name: "ann", role: "admin", state: "active" }]);
  expect((await run("members list")).stdout).toMatch(/^NAME +ROLE +STATE +CREATED\nann +admin +active +\d{4}-/);
  expect(await json("members remove ann")).toEqual({ name: "ann", deleted: true });
  expect(await json("members list")).toEqual([]);
  await db.close();
});

test("the link begins with the address that others know", async () => {
  const folder = newFolder();
  const { run } = commandsIn(folder);
  await run("projects create shop");
  const { stdout } = await run("members invite ann", { SIGNALBOX_PUBLIC_URL: "https://ai.example.com/box" });
  expect(stdout).toMatch(
    /^https:\/\/ai\.example\.com\/box\/dashboard\/invitation\?token=\w{32}\n\nWith this link ann \(viewer\)/,
  );
});

test("what cannot be done is said", async () => {
  const { run } = commandsIn(newFolder());
  await run("projects create shop");
  expect(await run("members remove ann")).toMatchObject({
    code: 1,
    stderr: 'signalbox: There is no member "ann" (see members list).\n',
  });
  expect(await run("members invite ann --role owner")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--role is "owner"; it may be admin, viewer.'),
  });
});
