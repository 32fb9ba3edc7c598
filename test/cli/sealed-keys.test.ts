/** The provider keys typed into the dashboard, when what sealed them is lost or changed. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import { byCommand } from "../../src/history/author.ts";
import { readStoredProviders, storeProvider } from "../../src/providers/stored-settings.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { commandsIn } from "./commands-in.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();

test("provider keys whose seal is lost are named, and can be given up", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  const databasePath = join(folder, "data/signalbox.db");
  const db = await openDatabase(databasePath);
  const settings = { key: "sk-typed-in", base_url: "http://127.0.0.1:9/v1" };
  await storeProvider(db, byCommand(0), readConfig({}, { db: databasePath }), "openai", settings);
  await db.close();
  rmSync(`${databasePath}.key`);
  for (const words of ["models list", "doctor", "serve --port 0"]) {
    const { code, stderr } = await run(words);
    expect([words, code, stderr]).toEqual([words, 1, expect.stringContaining("The key of openai")]);
    expect(stderr).toContain("data/signalbox.db.key is missing or not the one it was sealed with.");
  }
  // A new file in its place would pass for the one that is looked for.
  expect(existsSync(`${databasePath}.key`)).toBe(false);
  expect(await json("providers forget-keys")).toEqual({ forgotten: ["openai"] });
  expect(await json("providers forget-keys")).toEqual({ forgotten: [] });
  expect((await json("history"))[0]).toMatchObject({
    action: "provider.changed",
    object_id: "openai",
    actor: "command_line",
    changes: { key: { before: "set", after: null } },
  });
  expect((await run("models list")).code).toBe(0);
});

const NOBODY = 65_534;

test.if(process.getuid?.() === 0)("a key file made by root belongs to the user who serves the database", async () => {
  const folder = newFolder();
  const databasePath = join(folder, "data/signalbox.db");
  const db = await openDatabase(databasePath);
  await storeProvider(db, byCommand(0), readConfig({}, { db: databasePath }), "openai", { key: "sk-typed-in" });
  await db.close();
  for (const suffix of ["", ".key"]) chownSync(`${databasePath}${suffix}`, NOBODY, NOBODY);
  await commandsIn(folder).json("secret rotate");
  expect(statSync(`${databasePath}.key`)).toMatchObject({ uid: NOBODY, gid: NOBODY });
});

test("the secret that provider keys are sealed with is changed for all of them or for none", async () => {
  const folder = newFolder();
  const databasePath = join(folder, "data/signalbox.db");
  const keyOf = async (secret?: string): Promise<string | undefined> => {
    const db = await openDatabase(databasePath);
    try {
      const config = readConfig({ SIGNALBOX_SECRET: secret }, { db: databasePath });
      return (await readStoredProviders(db, config))["openai"]?.key;
    } finally {
      await db.close();
    }
  };
  const db = await openDatabase(databasePath);
  for (const id of ["openai", "groq"])
    await storeProvider(db, byCommand(0), readConfig({}, { db: databasePath }), id, { key: `sk-of-${id}` });
  await db.close();
  const { run, json } = commandsIn(folder);
  const oldFile = await Bun.file(`${databasePath}.key`).text();
  expect(await json("secret rotate")).toEqual({ providers: ["openai", "groq"], sealed_with: "data/signalbox.db.key" });
  expect(await Bun.file(`${databasePath}.key`).text()).not.toBe(oldFile);
  expect(await keyOf()).toBe("sk-of-openai");

  const early = await run("models list", { SIGNALBOX_SECRET: "first" });
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringMatching(
      /with SIGNALBOX_SECRET: it is sealed with data\/signalbox\.db\.key\. Unset .* `signalbox secret rotate`/,
    ),
  ]);
  expect((await run("secret rotate", { SIGNALBOX_NEW_SECRET: "first" })).stdout).toContain(
    "Start the server with SIGNALBOX_SECRET",
  );
  expect(await keyOf("first")).toBe("sk-of-openai");
  // Whoever does not know the old secret changes nothing.
  const refused = await run("secret rotate", { SIGNALBOX_SECRET: "other", SIGNALBOX_NEW_SECRET: "second" });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("The key of openai")]);
  expect(await keyOf("first")).toBe("sk-of-openai");
  // Done once more, as after an interruption: what is sealed already stays.
  expect((await run("secret rotate", { SIGNALBOX_SECRET: "other", SIGNALBOX_NEW_SECRET: "first" })).code).toBe(0);
});
