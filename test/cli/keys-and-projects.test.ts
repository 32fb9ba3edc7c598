/** Keys and projects on the command line: made, listed, changed and revoked on the file itself. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { commandsIn, runHere } from "./commands-in.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();

test("keys and projects: made, listed, changed and revoked on the file itself", async () => {
  const { json, run } = commandsIn(newFolder());
  const made = await json(
    "keys create --project ci --tier pro --live --name robot --scopes chat,logs --expires 30d --budget 2.5",
  );
  expect(made).toMatchObject({ tier: "pro", mode: "live", name: "robot", scopes: ["chat", "logs"], budget_usd: 2.5 });
  expect(made.key).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
  expect(made.last_four).toBe(made.key.slice(-4));
  expect(Date.parse(made.created_at)).toBeGreaterThan(0);

  const again = await json("keys create --project ci --tier team --test");
  expect(again).toMatchObject({ project_id: made.project_id, tier: "team", mode: "test", expires_at: null, budget_usd: null });
  expect(await json("keys create --project other")).toMatchObject({ tier: "enterprise", mode: "live" });

  const listed = await json("keys list --project ci");
  expect(listed.map(({ id }: any) => id).sort()).toEqual([made.id, again.id].sort());
  expect(JSON.stringify(listed)).not.toContain(made.key);

  expect(await json(`keys revoke ${made.id}`)).toEqual({ id: made.id, revoked: true, deleted: true });
  expect((await json("keys list")).find(({ id }: any) => id === made.id).revoked_at).toBeString();
  expect((await run(`keys revoke ${made.id}`)).code).toBe(1);
  expect((await json("history --kind key")).filter(({ action }: any) => action === "key.revoked")).toHaveLength(1);

  expect(await json("projects create third --tier Free")).toMatchObject({ name: "third", tier: "free" });
  expect(await json("projects set-tier third growth")).toMatchObject({ name: "third", tier: "growth" });
  expect(await json("projects set-budget third --budget 100 --user-budget 2.5 --user-budget-period day")).toMatchObject({
    budget: { usd: 100, period: "month" },
    user_budget: { usd: 2.5, period: "day" },
  });
  expect(await json("projects set-budget third --budget-period total --user-budget none")).toMatchObject({
    budget: { usd: 100, period: "total" },
    user_budget: null,
  });
  expect((await json("projects list")).map(({ name, budget }: any) => [name, budget?.usd ?? null])).toEqual([
    ["ci", null],
    ["other", null],
    ["third", 100],
  ]);
  expect((await run("projects create third")).code).toBe(1);
});

test("without --json people read what was done", async () => {
  const { run } = commandsIn(newFolder());
  const said = async (words: string) => (await run(words)).stdout;
  const [key] = (await said("keys create --project shop --tier pro")).split("\n");
  expect(key).toMatch(/^pk_live_/);
  const id = /key_\w+/.exec(await said("keys list"))![0];
  expect(await said(`keys revoke ${id}`)).toBe(`${id} is revoked.\n`);
  expect(await said("projects create stays")).toMatch(/^Project stays \(proj_\w+\) is on tier enterprise\.\n$/);
  expect(await said("projects set-tier stays team")).toEndWith("is on tier team.\n");
  expect(await said("projects set-budget stays --budget 100 --user-budget 2 --user-budget-period week")).toBe(
    "Project stays may spend 100 USD a month, each of its users 2 USD a week.\n",
  );
  expect(await said("projects set-budget stays --budget none --budget-period day")).toStartWith(
    "Project stays may spend without bound, ",
  );
  for (const [words, complaint] of [
    ["projects set-budget stays", "Name what shall change"],
    ["projects set-budget stays --budget-period day", "--budget-period needs --budget"],
    ["projects set-budget stays --user-budget 1 --user-budget-period total", "it may be day, week, month."],
    ["projects set-budget stays --budget=-1", '--budget is "-1"'],
  ] as const)
    expect([words, await run(words)]).toMatchObject([words, { code: 2, stderr: expect.stringContaining(complaint) }]);
  expect((await said("projects list")).split("\n")).toEqual([
    expect.stringMatching(/^ID +NAME +TIER +CREATED +BUDGET +USER BUDGET$/),
    expect.stringMatching(/^proj_\w+ {2}shop +pro +2\S+ +none +none *$/),
    expect.stringMatching(/^proj_\w+ {2}stays +team +2\S+ +none +2 USD a week *$/),
    "",
  ]);
  expect(await said("projects delete shop --force")).toStartWith("Project shop (proj_");
  expect(await run("projects create")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("NAME is missing."),
  });
});

test("a key that leaked is revoked by its own text, and no other key is", async () => {
  const { json, run } = commandsIn(newFolder());
  const [leaked, other] = [await json("keys create --project p"), await json("keys create --project p")];
  expect(await json(`keys revoke ${leaked.key}`)).toEqual({ id: leaked.id, revoked: true, deleted: true });
  const revoked = (await json("keys list")).filter(({ revoked_at }: any) => revoked_at !== null);
  expect(revoked.map(({ id }: any) => id)).toEqual([leaked.id]);
  const { key } = await commandsIn(newFolder()).json("keys create --project elsewhere");
  expect(await run(`keys revoke ${key}`)).toMatchObject({
    code: 1,
    stderr: `signalbox: There is no valid key …${key.slice(-4)} (see keys list).\n`,
  });
  expect(await json(`keys revoke ${other.id}`)).toMatchObject({ id: other.id });
});

test("only commands that may come before the first start make a database, and say so", async () => {
  const folder = newFolder();
  const { run } = commandsIn(folder);
  const missing = "signalbox: There is no database at data/signalbox.db; name the server's with --db or SIGNALBOX_DB.\n";
  for (const words of [
    "keys update key_1 --budget 5",
    "keys revoke key_1",
    "projects rename a b",
    "projects set-tier a pro",
    "projects delete a --force",
    "providers forget-keys",
    "secret rotate",
    "backup copy.db",
  ])
    expect([words, await run(words)]).toEqual([words, { code: 1, stdout: "", stderr: missing }]);
  for (const words of ["keys list --json", "keys list --project p --json", "projects list --json"])
    expect([words, await run(words)]).toEqual([words, { code: 0, stdout: "[]\n", stderr: missing }]);
  expect(readdirSync(folder)).toEqual([]);
  const made = "data/signalbox.db did not exist and was made.";
  expect((await run("keys create --project shop")).stdout).toContain(made);
  expect((await run("keys create --project shop")).stdout).not.toContain(made);
});

test("a project gets another name, and keeps its id and its keys", async () => {
  const { json, run } = commandsIn(newFolder());
  const key = await json("keys create --project shop --tier pro");
  await json("projects create taken");
  expect(await json("projects rename shop store")).toMatchObject({ id: key.project_id, name: "store", tier: "pro" });
  expect((await json("keys list --project store")).map(({ id }: any) => id)).toEqual([key.id]);
  for (const [words, complaint] of [
    ["projects rename shop again", 'There is no project "shop"'],
    ["projects rename store taken", 'There is a project "taken" already'],
    ["projects rename store", "projects rename NAME NEW_NAME"],
    ["projects rename store ..", "NEW_NAME"],
  ] as const)
    expect([words, (await run(words)).stderr]).toEqual([words, expect.stringContaining(complaint)]);
  expect((await json("projects list")).map(({ name }: any) => name)).toEqual(["store", "taken"]);
});

test("a project is deleted with its keys, once the command says so twice", async () => {
  const { json, run } = commandsIn(newFolder());
  const key = await json("keys create --project shop");
  expect((await run("projects delete shop --force")).stderr).toContain("The only project cannot be deleted");
  await json("keys create --project stays");
  expect(await run("projects delete shop")).toMatchObject({ code: 1, stderr: expect.stringContaining("Add --force") });
  expect(await json("projects list")).toHaveLength(2);
  expect(await json("projects delete shop --force")).toEqual({ id: key.project_id, deleted: true });
  expect((await json("projects list")).map(({ name }: any) => name)).toEqual(["stays"]);
  expect((await json("keys list")).map(({ project }: any) => project)).toEqual(["stays"]);
  expect((await run("projects delete shop --force")).stderr).toContain('There is no project "shop"');
});

test("a key's expiry is a day of the calendar that lies ahead, and the list tells which keys have expired", async () => {
  const { json, run } = commandsIn(newFolder());
  for (const wrong of ["99999999999d", "9999999999999999999h", "2027-02-30", "2027-13-01", "tomorrow", "2020-01-01", "0d"]) {
    const { code, stderr } = await runHere(`keys create --project p --expires ${wrong} --db /nonexistent/none.db`);
    expect([code, stderr.split("\n")[0]]).toEqual([2, expect.stringContaining(`--expires is "${wrong}"`)]);
  }
  expect(await json("keys create --project p --expires 2096-02-29")).toMatchObject({ expires_at: "2096-02-29T00:00:00.000Z" });
  await json("keys create --project p --expires 30d --name brief");
  await json(`keys revoke ${(await json("keys create --project p --name gone")).id}`);
  const listed = await run("keys list", { SIGNALBOX_CLOCK_OFFSET_S: String(31 * 86_400) });
  const states = listed.stdout
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/ {2,}/).slice(3, 6));
  expect(states.map(([name, , state]) => [name, state])).toEqual([
    ["live", "valid"],
    ["brief", "expired"],
    ["gone", "revoked"],
  ]);
});

test("a name that is no line of its own is refused, for projects and keys", async () => {
  const wrong = [
    ["projects", "create", "a\nb"],
    ["projects", "create", "x".repeat(101)],
    ["projects", "create", " a"],
    // A step of a path: the dashboard's address of such a project would lead elsewhere.
    ["projects", "create", ".."],
    ["demo-data", "--project", ".."],
    ["keys", "create", "--project", "a\u0007b"],
    ["keys", "create", "--project", "a", "--name", "a\tb"],
  ];
  const { run } = commandsIn(newFolder());
  for (const words of wrong)
    expect([words, await run(words)]).toEqual([
      words,
      expect.objectContaining({ code: 2, stderr: expect.stringContaining("it may be one line") }),
    ]);
});

test("a key's terms are set when it is made and changed later, each for itself, and `none` takes one away", async () => {
  const { json, run } = commandsIn(newFolder());
  const made = await json(
    "keys create --project p --models openai/gpt-4o,google/* --budget 5 --budget-period week --requests-per-minute 60 --tokens-per-minute 90000",
  );
  const terms = {
    models: ["gpt-4o", "google/*"],
    budget_usd: 5,
    budget_period: "week",
    requests_per_minute: 60,
    tokens_per_minute: 90_000,
  };
  expect(made).toMatchObject({ name: "live", ...terms });
  expect((await json("keys list"))[0]).toMatchObject(terms);
  const changed = { name: "ada", models: null, scopes: ["chat"], budget_usd: 7, tokens_per_minute: null };
  const { key: _, ...before } = made;
  expect(await json(`keys update ${made.id} --name ada --models none --scopes chat --budget 7 --tokens-per-minute none`)).toEqual(
    { ...before, ...changed },
  );
  expect((await json("keys list"))[0]).toEqual({ ...before, ...changed });
  expect((await run(`keys update ${made.id} --budget-period day`)).stdout).toBe(`${made.id} is changed.\n`);
  expect((await run("keys list")).stdout).toEndWith("never    chat; 7 USD a day; 60 requests a minute\n");
  for (const [words, complaint] of [
    ["--models gpt-4oo", "Did you mean gpt-4o?"],
    ["--models gpt-4o,", '"" is no model'],
    ["--budget-period year", "it may be day, week, month, total"],
    ["--requests-per-minute 0", "a whole number from 1"],
    ["--tokens-per-minute 1e3", "a whole number from 1"],
    ["", "Name what shall change"],
  ] as const) {
    const { code, stderr } = await run(`keys update ${made.id} ${words}`.trim());
    expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining(complaint)]);
  }
  await run(`keys revoke ${made.id}`);
  for (const id of [made.id, "key_unknown"])
    expect(await run(`keys update ${id} --budget 1`)).toMatchObject({ code: 1, stderr: expect.stringContaining("no valid key") });
});
