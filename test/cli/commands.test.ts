/** The command line as a stranger meets it: every command as a process of its own, in a folder of its own. */

import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { readStoredProviders, storeProvider } from "../../src/providers/stored-settings.ts";
import { runProgram } from "../support/run-program.ts";
import { json, startUpstreamStub } from "../support/upstream-stub.ts";

setDefaultTimeout(60_000);

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-cli-"));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** `run("keys list --json")`; words with spaces are given as a list. */
const commandsIn = (cwd: string) => {
  const run = (words: string | string[], env: Record<string, string> = {}, stdin = "") =>
    runProgram(selfCommand(typeof words === "string" ? words.split(" ") : words), { cwd, env, stdin });
  const json = async (words: string) => {
    const { code, stdout, stderr } = await run(`${words} --json`);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  return { run, json };
};

/** Without a process of its own, for what is refused before anything is opened. */
const runHere = async (words: string, env: Record<string, string> = {}) => {
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += text;
      return true;
    }),
  );
  try {
    return { code: await runCommand(words.split(" "), env), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
};

test("keys and projects: made, listed, changed and revoked on the file itself", async () => {
  const { json, run } = commandsIn(newFolder());
  const made = await json(
    "keys create --project ci --tier pro --live --name robot --scopes chat,logs --expires 30d --budget 2.5",
  );
  expect(made).toMatchObject({ tier: "pro", mode: "live", name: "robot", scopes: ["chat", "logs"], budget_usd: 2.5 });
  expect(made.key).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
  expect(made.last_four).toBe(made.key.slice(-4));

  const again = await json("keys create --project ci --tier team --test");
  expect(again).toMatchObject({ project_id: made.project_id, tier: "team", mode: "test", expires_at: null });
  expect(await json("keys create --project other")).toMatchObject({ tier: "enterprise", mode: "live" });

  const listed = await json("keys list --project ci");
  expect(listed.map(({ id }: any) => id).sort()).toEqual([made.id, again.id].sort());
  expect(JSON.stringify(listed)).not.toContain(made.key);

  expect(await json(`keys revoke ${made.id}`)).toEqual({ id: made.id, revoked: true, deleted: true });
  expect((await json("keys list")).find(({ id }: any) => id === made.id).revoked_at).toBeString();

  expect(await json("projects create third --tier free")).toMatchObject({ name: "third", tier: "free" });
  expect(await json("projects set-tier third growth")).toMatchObject({ name: "third", tier: "growth" });
  expect((await json("projects list")).map(({ name }: any) => name)).toEqual(["ci", "other", "third"]);
  expect((await run("projects create third")).code).toBe(1);
});

test("words that are right, but name what is not there or hold what cannot be read, fail in one line without the help", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "broken.jsonl"), "{");
  const { run } = commandsIn(folder);
  await run("projects create p");
  for (const [words, complaint] of [
    ["keys list --project nope", 'There is no project "nope" (see projects list).'],
    ["keys list --project nope --json", 'There is no project "nope" (see projects list).'],
    ["projects set-tier nope pro", 'There is no project "nope" (see projects list).'],
    ["keys revoke key_nope", "There is no valid key key_nope (see keys list)."],
    ["search --corpus broken.jsonl --queries broken.jsonl", "broken.jsonl: line 1 is not JSON."],
  ] as const)
    expect([words, await run(words)]).toEqual([words, { code: 1, stdout: "", stderr: `signalbox: ${complaint}\n` }]);
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

test("backup and restore carry everything, never overwrite unasked, and nobody else may read them", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  await json("projects create kept");
  expect(await json("backup copies/first.db")).toMatchObject({ file: "copies/first.db" });
  expect(statSync(join(folder, "copies/first.db")).mode & 0o777).toBe(0o600);
  expect((await run("backup copies/first.db")).stderr).toBe(
    "signalbox: copies/first.db exists already; a backup never overwrites.\n",
  );
  await json("projects create later");
  await json("restore copies/first.db");
  expect((await json("projects list")).map(({ name }: any) => name)).toEqual(["kept"]);
  expect(existsSync(join(folder, "data/signalbox.db.replaced"))).toBe(true);
  expect(await run("restore copies/first.db")).toMatchObject({ code: 1, stderr: expect.stringContaining("would be lost") });
  await json("restore copies/first.db --force");
  await json("restore copies/first.db --db elsewhere/new.db");
  expect((await json("projects list --db elsewhere/new.db")).map(({ name }: any) => name)).toEqual(["kept"]);
});

test("a restore keeps what was there with the calls of its write-ahead log, and is undone by restoring that", async () => {
  const folder = newFolder();
  const { json } = commandsIn(folder);
  const names = async (words = "") => (await json(`projects list ${words}`.trim())).map(({ name }: any) => name);
  await json("projects create early");
  await json("backup early.db");
  // As a crash leaves it: the last write is in the log alone.
  const database = new Database(join(folder, "data/signalbox.db"));
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("INSERT INTO projects (id, name, tier, created_at) VALUES ('proj_late', 'late', 'free', 9e12)");
  for (const suffix of ["", "-wal"]) cpSync(join(folder, `data/signalbox.db${suffix}`), join(folder, `crashed.db${suffix}`));
  database.close();

  await json("restore early.db --db crashed.db");
  expect(await names("--db crashed.db")).toEqual(["early"]);
  await json("restore crashed.db.replaced --force --db crashed.db");
  expect(await names("--db crashed.db")).toEqual(["early", "late"]);
  expect(await names("--db crashed.db.replaced")).toEqual(["early"]);
});

test("provider keys whose seal is lost are named, and can be given up", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  const databasePath = join(folder, "data/signalbox.db");
  const db = await openDatabase(databasePath);
  await storeProvider(
    db,
    readConfig({}, { db: databasePath }),
    "openai",
    { key: "sk-typed-in", base_url: "http://127.0.0.1:9/v1" },
    0,
  );
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
  expect((await run("models list")).code).toBe(0);
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
    await storeProvider(db, readConfig({}, { db: databasePath }), id, { key: `sk-of-${id}` }, 0);
  await db.close();
  const { run, json } = commandsIn(folder);
  const oldFile = await Bun.file(`${databasePath}.key`).text();
  expect(await json("secret rotate")).toEqual({ providers: ["openai", "groq"], sealed_with: "data/signalbox.db.key" });
  expect(await Bun.file(`${databasePath}.key`).text()).not.toBe(oldFile);
  expect(await keyOf()).toBe("sk-of-openai");

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

test("a backup changes nothing of the file, so that a newer program can make it before it is started", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  await json("projects create kept");
  const versionOf = (file: string, set?: number) => {
    const database = new Database(join(folder, file));
    if (set !== undefined) database.run(`PRAGMA user_version = ${set}`);
    const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number };
    database.close();
    return user_version;
  };
  const earlier = versionOf("data/signalbox.db") - 1;
  versionOf("data/signalbox.db", earlier);
  expect(await json("backup copy.db")).toMatchObject({ file: "copy.db" });
  expect([versionOf("data/signalbox.db"), versionOf("copy.db")]).toEqual([earlier, earlier]);
  await Bun.write(join(folder, "notes.txt"), "not a database, only a file of some length that is none");
  expect((await run("backup other.db --db notes.txt")).stderr).toBe(
    "signalbox: The database notes.txt cannot be used: it is not a SQLite database.\n",
  );
  expect(readdirSync(folder).filter((name) => name.startsWith("other"))).toEqual([]);
});

test("what cannot be restored or opened is refused in one line that names it", async () => {
  const folder = newFolder();
  const { run } = commandsIn(folder);
  await Bun.write(join(folder, "notes.txt"), "not a database, only a file of some length that is none");
  for (const words of ["restore notes.txt", "restore missing.db", "keys list --db notes.txt", "serve --port 0 --db notes.txt"]) {
    const { code, stderr } = await run(words);
    expect({ words, code }).toEqual({ words, code: 1 });
    expect(stderr).toMatch(/^signalbox: [^\n]*(?:notes\.txt|missing\.db)[^\n]*\n$/);
  }
});

test("wrong settings stop the start with one line that names the setting, its value and what it may be", async () => {
  const folder = newFolder();
  const { run } = commandsIn(folder);
  const cases: [string, Record<string, string>, RegExp][] = [
    ["serve", { PORT: "abc" }, /PORT is "abc"; it may be a whole number from 0 to 65535/],
    ["serve --port 70000", {}, /--port is "70000"/],
    ["serve", { HOST: "0.0.0.0" }, /HOST is "0\.0\.0\.0", a public address, and no admin password is set/],
    ["serve --config missing.yaml", {}, /--config is "missing\.yaml", which does not exist/],
    ["serve", { SIGNALBOX_CONFIG: "absent.yaml" }, /SIGNALBOX_CONFIG is "absent\.yaml", which does not exist/],
  ];
  for (const [words, env, complaint] of cases) {
    const { code, stdout, stderr } = await run(words, env);
    expect({ words, env, code, stdout }).toEqual({ words, env, code: 1, stdout: "" });
    expect(stderr).toMatch(/^signalbox: [^\n]+\n$/);
    expect(stderr).toMatch(complaint);
  }
});

test("the same lines come from `config check`, without a start", async () => {
  const file = join(newFolder(), "signalbox.yaml");
  const cases: [string, Record<string, string>, RegExp][] = [
    ["", { LOG_LEVEL: "loud" }, /LOG_LEVEL is "loud"; it may be debug, info, warn, error, silent/],
    ["", { SIGNALBOX_DURABILITY: "some" }, /SIGNALBOX_DURABILITY is "some"; it may be full, normal/],
    ["", { SIGNALBOX_DRAIN_S: "-1" }, /SIGNALBOX_DRAIN_S is "-1"/],
    ["", { SIGNALBOX_PUBLIC_URL: "here" }, /SIGNALBOX_PUBLIC_URL is "here"; it may be an http or https URL/],
    ["", { OPENAI_API_KEY: "x", OPENAI_BASE_URL: "there" }, /OPENAI_BASE_URL is "there"; it may be an http or https URL/],
    ["prot: 80", {}, /unknown setting `prot` \(line 1\)/],
    ["port: 1\nmodels:\n  - id: m\n    enabld: true", {}, /unknown setting `models\.0\.enabld` \(line 4\)/],
    ["port: 1\nhost: a\nport: 2", {}, /`port` is given twice \(lines 1 and 3\)/],
    [
      "models: [{ id: m, provider: opnai }]",
      {},
      /models: "m" names the provider "opnai", which stands neither in the catalog nor/,
    ],
    ["models: [{ id: auto, provider: openai }]", {}, /models: "auto" asks for a choice among models and cannot be one/],
    ["media_models: { tts-1: [{ provider: opnai, model: m }] }", {}, /media_models\.tts-1 names the provider "opnai", which/],
    ["documents: { embedding: { provider: opnai, model: m } }", {}, /documents\.embedding names the provider "opnai", which/],
    ["providers: { openai: { key: k, dialect: ollama } }", {}, /providers\.openai\.dialect is "ollama"; OpenAI speaks "openai"/],
    ["providers: { openai: { key: k, headers: { a b: c } } }", {}, /"a b" cannot be the name of a header/],
    ["", { OPENAI_API_KEY: "sk\nx" }, /The key of openai holds a line break or another character that no header can carry/],
    ["providers: { openai: { keys: [{ key: a, weight: 0 }] } }", {}, /weight` must be a number above 0; it was 0/],
    ["port: many", {}, /`port` must be a whole number from 0 to 65535; it was "many"/],
    ["- a", {}, /signalbox\.yaml holds no settings/],
    ["log_level: loud", {}, /`log_level` must be one of "debug", "info", .*; it was "loud"/],
    ["host: a\nport: [", {}, /signalbox\.yaml is not valid YAML near line 2: /],
    ["providers: { openai: { key: env:NOT_SET } }", {}, /providers\.openai\.key names the environment variable NOT_SET/],
    ["search: [altavista]", {}, /search names "altavista"; it may name tavily/],
  ];
  for (const [text, env, complaint] of cases) {
    await Bun.write(file, `${text}\n`);
    const { code, stdout, stderr } = await runHere(`config check --config ${file}`, env);
    expect({ text, env, code, stdout }).toEqual({ text, env, code: 1, stdout: "" });
    expect(stderr).toMatch(/^signalbox: [^\n]+\n$/);
    expect(stderr).toMatch(complaint);
  }
});

test("a port in use and a database of a later version are said in one line", async () => {
  const folder = newFolder();
  const { run, json } = commandsIn(folder);
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const taken = await run(`serve --port ${other.port}`);
  await other.stop(true);
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringMatching(/^signalbox: PORT is \d+, which another program.*\n$/) });

  await json("projects list");
  const { Database } = await import("bun:sqlite");
  const database = new Database(join(folder, "data/signalbox.db"));
  database.run("PRAGMA user_version = 9999");
  database.close();
  for (const words of ["serve --port 0", "keys list"]) {
    const { code, stderr } = await run(words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^signalbox: data\/signalbox\.db has schema 9999.*\n$/);
  }
});

test("wrong words are answered with the command's help and exit code 2", async () => {
  for (const words of [
    "frobnicate",
    "keys",
    "keys create",
    "keys create --project a --tier gold",
    "keys create --project a --scopes all",
    "keys create --project a --expires soon",
    "keys create --project a --expires 2020-01-01",
    "keys create --project a --budget much",
    "keys create --project a --live --test",
    "keys revoke",
    "keys list more",
    "projects set-tier a gold",
    "backup",
    "restore",
    "serve --prot 80",
    "route",
    "pii",
    "pii --jsonl --types shoe_size",
    "extract",
    "extract notes.docx",
    "search --corpus only",
  ]) {
    const { code, stdout, stderr } = await runHere(words);
    expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: "" });
    expect(stderr).toContain("Usage: signalbox ");
  }
});

test("a name that is no line of its own is refused, for projects and keys", async () => {
  const wrong = [
    ["projects", "create", "a\nb"],
    ["projects", "create", "x".repeat(101)],
    ["projects", "create", " a"],
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

test("every command has help, and `help` lists those for people", async () => {
  const run = runHere;
  const { stdout: all, code } = await run("help");
  expect(code).toBe(0);
  for (const { name, hidden } of COMMANDS) expect([name, all.includes(`\n  ${name} `)]).toEqual([name, !hidden]);
  expect((await run("keys create --help")).stdout).toContain("--scopes a,b");
  expect((await run("help backup")).stdout).toContain("Usage: signalbox backup FILE");
  expect((await run("help keys")).stdout).toContain("keys revoke");
  expect(await run("--help --json")).toMatchObject({ code: 0, stdout: all });
  expect(await run("help nonsense")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining('There is no command "nonsense".'),
  });
  expect(await run("keys --help")).toMatchObject({ code: 0, stdout: expect.stringContaining("keys revoke") });
});

test("doctor asks a provider with each of its keys", async () => {
  const stub = startUpstreamStub();
  const list = json({ data: [{ id: "m" }] });
  stub.answer((request) =>
    (request.headers.get("authorization") === "Bearer sk-gone" ? json({ error: { message: "no" } }, 401) : list)(request),
  );
  const folder = newFolder();
  const keys = "[{ key: sk-good }, { key: sk-gone }]";
  await Bun.write(join(folder, "signalbox.yaml"), `providers: { house: { base_url: "${stub.url}/v1", keys: ${keys} } }\n`);
  const { code, stdout } = await commandsIn(folder).run("doctor --json");
  const found = JSON.parse(stdout).filter(({ check }: { check: string }) => check.startsWith("provider house"));
  expect([code, found.map(({ check, ok }: { check: string; ok: boolean }) => [check, ok])]).toEqual([
    1,
    [
      ["provider house, key 1 of 2", true],
      ["provider house, key 2 of 2", false],
    ],
  ]);
  stub.stop();
});

test("doctor tells what is well and what is not, and makes no database to look at", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  const examine = async () => {
    const { code, stdout } = await run("doctor --json");
    const findings = JSON.parse(stdout) as { check: string; ok: boolean; detail: string }[];
    const of = (name: string) => findings.find(({ check }) => check === name);
    return { code, of, verdicts: Object.fromEntries(findings.map(({ check, ok }) => [check, ok])) };
  };
  const before = await examine();
  expect(before.of("database")!.detail).toBe("there is none at data/signalbox.db yet; the first start makes it");
  expect(before.verdicts).toEqual({
    database: true,
    "vector extension": true,
    disk: true,
    clock: true,
    port: true,
    "provider ollama": false,
  });
  expect(before.code).toBe(1);
  await run("models list");
  expect(readdirSync(folder)).toEqual([]);

  await json("projects create one");
  const database = new Database(join(folder, "data/signalbox.db"));
  database.run(
    `INSERT INTO calls (id, project_id, mode, key_id, kind, route, started_at, completed_at, latency_ms, upstream_ms, status, streamed, pinned,
      attempt_count, retry_count, fallback_used, cost_warning, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
      usage_source, cost_nano_usd, prompt_length, message_count, output_length)
     VALUES ('call_1', 'p', 'test', 'k', 'chat', '/v1/chat', 4e12, 4e12, 0, 0, 200, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 'none', 0, 0, 0, 0)`,
  );
  database.close();
  const after = await examine();
  expect(after.of("database")!.detail).toBe("data/signalbox.db: ok");
  expect(after.of("clock")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("before the last call in the log (2096-10-02"),
  });
});

test("version, openapi, config schema and models print what programs can read", async () => {
  const { json, run } = commandsIn(newFolder());
  const { version } = await json("version");
  expect((await run("--version")).stdout).toBe(`signalbox ${version}\n`);
  expect((await json("openapi")).openapi).toStartWith("3.");
  expect((await json("config schema")).properties).toHaveProperty("providers");
  expect(await json("config check")).toMatchObject({ ok: true });
  const models: any[] = await json("models list");
  expect(models[0]).toMatchObject({ id: expect.any(String), type: "chat", input_usd_per_million: expect.any(Number) });
  expect(models.find(({ id }) => id === "embed-local")).toMatchObject({ type: "embedding", provider: "local", available: true });
  expect(models.find(({ id }) => id === "tts-1")).toEqual({
    id: "tts-1",
    type: "speech",
    provider: "openai",
    available: false,
    pricing: { usd: 0.015, unit: "1,000 characters" },
  });
  // The one provider of these tests' environment is an Ollama that is not there.
  const checked = await run("models check --json");
  expect([checked.code, JSON.parse(checked.stdout)]).toEqual([
    1,
    [{ provider: "ollama", error: "Ollama could not be reached." }],
  ]);
  expect((await run("models check")).stdout).toBe("ollama: Ollama could not be reached.\n");
  const down = await run("healthcheck --port 1");
  expect(down.code).toBe(1);
});
