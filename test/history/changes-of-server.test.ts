/** What belongs to the whole server: providers, models, the settings file, the password, and what commands change. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../src/database/database.ts";
import { reloadSettings } from "../../src/watch-settings.ts";
import { commandsIn } from "../cli/commands-in.ts";
import { operatorOf, signIn } from "../support/dashboard.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();
const SETTINGS = "providers:\n  filed: { base_url: 'http://127.0.0.1:1/v1', key: sk-in-the-file }\n";
const gateway = await gatewayOfFile({ settings: SETTINGS });
const { operator } = await signIn(gateway);

const ask = async (method: string, path: string, body?: object) => {
  const response = await operator.send(method, path, body);
  expect([path, response.status < 300]).toEqual([path, true]);
};
const historyOf = async (kind: string): Promise<any[]> =>
  ((await (await operator.send("GET", `/history?kind=${kind}&limit=500`)).json()) as any).changes;
const changesTo = async (kind: string, id: string) =>
  (await historyOf(kind)).filter(({ object_id }) => object_id === id).map(({ action, changes }) => [action, changes]);
const rowsOf = ({ platform }: Gateway) => JSON.stringify(platform.db.all("SELECT * FROM history"));

test("a provider's key is told to be set and set anew, its address without a password", async () => {
  const url = "http://127.0.0.1:1/v1";
  await ask("PUT", "/providers/house", { key: "sk-first-secret", base_url: "http://who:pass-secret@127.0.0.1:1/v1" });
  await ask("PUT", "/providers/house", { key: "sk-second-secret" });
  await ask("PUT", "/providers/house", { enabled: false });
  await ask("PUT", "/providers/house", { enabled: false });
  await ask("DELETE", "/providers/house");
  expect(await changesTo("provider", "house")).toEqual([
    [
      "provider.deleted",
      {
        enabled: { before: false, after: null },
        key: { before: "set", after: null },
        base_url: { before: url, after: null },
        credentials: { before: "set", after: null },
      },
    ],
    ["provider.changed", { enabled: { before: null, after: false } }],
    ["provider.changed", { key: { before: "set", after: "set anew" } }],
    [
      "provider.changed",
      {
        key: { before: null, after: "set" },
        base_url: { before: null, after: url },
        credentials: { before: null, after: "set" },
      },
    ],
  ]);
  expect(rowsOf(gateway)).not.toMatch(/sk-|pass-secret|sealed/);
});

test("another password in a provider's address is told, and a provider may have the name of anything", async () => {
  for (const password of ["pass-secret", "pass-other"])
    await ask("PUT", "/providers/constructor", { key: "sk-x", base_url: `http://who:${password}@127.0.0.1:1/v1` });
  const [anew, first] = await changesTo("provider", "constructor");
  expect(anew![1]).toMatchObject({ credentials: { before: "set", after: "set anew" } });
  expect(Object.values<any>(first![1]).map(({ before }) => before)).toEqual([null, null, null]);
  await ask("DELETE", "/providers/constructor");
  expect(rowsOf(gateway)).not.toContain("pass-");
});

test("a provider's settings that cannot be used are neither stored nor told", async () => {
  const { status } = await operator.send("PUT", "/providers/wrong", { key: "sk-wrong", base_url: "http://127.0.0.1:1/v1?x=1" });
  expect(status).toBe(400);
  expect(await changesTo("provider", "wrong")).toEqual([]);
  const { providers } = (await (await operator.send("GET", "/providers")).json()) as any;
  expect(providers.find(({ id }: any) => id === "wrong")).toBeUndefined();
});

test("a model that is added again is on, though the one of its id was switched off", async () => {
  const model = { id: "again", provider: "filed" };
  await ask("POST", "/models", model);
  await ask("PUT", "/models", { id: "again", enabled: false });
  await ask("DELETE", "/models", { id: "again" });
  await ask("POST", "/models", model);
  const { models } = (await (await operator.send("GET", "/models")).json()) as any;
  expect(models.find(({ id }: any) => id === "again").enabled).toBe(true);
  await ask("DELETE", "/models", { id: "again" });
});

test("models that are added, priced, switched and removed are told, and the order of search engines", async () => {
  await ask("POST", "/models", { id: "own", provider: "filed" });
  await ask("PATCH", "/models", { id: "own", provider: "filed", input_usd_per_million: 1, output_usd_per_million: 2 });
  await ask("PUT", "/models", { id: "own", enabled: false });
  await ask("DELETE", "/models", { id: "own" });
  expect((await changesTo("model", "own")).slice(0, 3)).toEqual([
    [
      "model.deleted",
      {
        id: { before: "own", after: null },
        provider: { before: "filed", after: null },
        input_usd_per_million: { before: 1, after: null },
        output_usd_per_million: { before: 2, after: null },
      },
    ],
    ["model.changed", { enabled: { before: true, after: false } }],
    ["model.changed", { input_usd_per_million: { before: null, after: 1 }, output_usd_per_million: { before: null, after: 2 } }],
  ]);
  const { search_order: order } = (await (await operator.send("GET", "/providers")).json()) as any;
  await ask("PUT", "/search-order", { order: [...order].reverse() });
  expect((await historyOf("search")).map(({ action, changes }) => [action, changes.order.after])).toEqual([
    ["search.order_changed", [...order].reverse()],
  ]);
});

test("a reload of the settings file names what changed in it, and no value", async () => {
  await using own = await startGateway({ settings: SETTINGS });
  const write = (text: string) => Bun.write(join(own.folder, "signalbox.yaml"), text);
  await write(`${SETTINGS.replace("in-the-file", "another")}models:\n  - { id: filed-model, provider: filed }\n`);
  await reloadSettings(own.platform);
  await reloadSettings(own.platform);
  await write("providers: [");
  await reloadSettings(own.platform);
  const rows = own.platform.db.all<{ actor: string; fields: string }>(
    "SELECT actor, fields FROM history WHERE kind = 'settings_file'",
  );
  expect(rows.map(({ actor, fields }) => [actor, JSON.parse(fields)])).toEqual([
    ["server", { "providers.filed.key": { before: "set", after: "set anew" }, models: { before: null, after: "set" } }],
  ]);
});

test("the first password and each other are told, and no sign-in", async () => {
  await using own = await startGateway({ environment: { SIGNALBOX_ADMIN_PASSWORD: "" } });
  const { createSetupToken } = await import("../../src/accounts/operator.ts");
  const token = await createSetupToken(own.platform.db, own.clock.now());
  const stranger = operatorOf(own, "");
  expect((await stranger.send("POST", "/setup", { token, password: "the very first" })).status).toBe(200);
  const { operator: signedIn } = await signIn(own, "the very first");
  await signIn(own, "not the first");
  const change = { current: "the very first", next: "the second one" };
  expect((await signedIn.send("POST", "/password", change)).status).toBe(200);
  const { changes } = (await (await signedIn.send("GET", "/history")).json()) as any;
  const row = { action: "password.changed", actor: "dashboard", ip: "127.0.0.1", changes: {} };
  expect(changes).toMatchObject([row, row]);
  expect(rowsOf(own)).not.toMatch(/the very first|the second one|argon2/);
});

test("commands are told like all else, and shown by one", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  expect((await run("history")).stderr).toContain("There is no database");
  const { id, key } = await json("keys create --project shop --name till --budget 5");
  await json(`keys update ${id} --budget 50`);
  await json("projects set-budget shop --budget 100");
  await json(`keys revoke ${id}`);
  const { password } = await json("password reset");
  await json("projects create other");
  await json("projects delete shop --force");
  const rows = await json("history");
  expect(rows.map(({ action, actor }: any) => [action, actor])).toEqual(
    [
      "project.deleted",
      "project.created",
      "password.changed",
      "key.revoked",
      "project.changed",
      "key.changed",
      "key.created",
      "project.created",
    ].map((action) => [action, "command_line"]),
  );
  expect((await json("history --project shop --kind key --limit 2")).map(({ action }: any) => action)).toEqual([
    "key.revoked",
    "key.changed",
  ]);
  expect(await json("history --since 2999-01-01")).toEqual([]);
  for (const wrong of ["--kind cat", "--since soon", "--limit 0"]) expect((await run(`history ${wrong}`)).code).toBe(2);
  const { stdout } = await run("history --kind key");
  expect(stdout).toMatch(/^WHEN +WHO +WHAT +PROJECT +OF +FIELDS\n/);
  expect(stdout).toContain("budget_usd: 5; budget_period: month\n");
  expect(stdout).toMatch(/command line +key\.changed +shop +till +budget_usd: 5 → 50\n/);
  for (const secret of [key, password]) expect(JSON.stringify(rows).includes(secret)).toBe(false);
});

test("a restore is told in what it restores, and a secret that is rotated or lost", async () => {
  const { json, run } = commandsIn(newFolder());
  await json("projects create kept");
  await json("backup copy.db");
  await json("projects create lost");
  await json("restore copy.db");
  await json("secret rotate");
  expect((await json("history")).map(({ action, object_name }: any) => [action, object_name])).toEqual([
    ["secret.rotated", null],
    ["backup.restored", "copy.db"],
    ["project.created", "kept"],
  ]);
  expect((await run("backup again.db")).code).toBe(0);
});

test("names with control characters do not reach the terminal as such", async () => {
  const folder = newFolder();
  const { run, json } = commandsIn(folder);
  await json("projects create kept");
  const db = await openDatabase(join(folder, "data/signalbox.db"));
  await db.write((sql) => sql.run("UPDATE history SET object_name = ?", "evil\u001b[2J\nname"));
  await db.close();
  expect((await run("history")).stdout).toContain("evil [2J name");
});
