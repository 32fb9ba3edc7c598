/** What cannot be used stops the start in one line that names it. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { holdDatabase } from "../../src/cli/hold-database.ts";
import { asThisUser } from "../../src/lib/this-user.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { commandsIn, runHere } from "./commands-in.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();

test("wrong settings stop the start with one line that names the setting, its value and what it may be", async () => {
  const folder = newFolder();
  const { run } = commandsIn(folder);
  await Bun.write(join(folder, "public.yaml"), "host: 0.0.0.0");
  const cases: [string, Record<string, string>, RegExp][] = [
    ["serve", { PORT: "abc" }, /PORT is "abc"; it may be a whole number from 0 to 65535/],
    ["serve --port 70000", {}, /--port is "70000"/],
    ["serve", { HOST: "0.0.0.0" }, /HOST is "0\.0\.0\.0", a public address, and no admin password is set/],
    ["serve --host 0.0.0.0", { HOST: "::" }, /--host is "0\.0\.0\.0", a public address/],
    ["serve --config public.yaml", { HOST: " " }, /`host` is "0\.0\.0\.0", a public address/],
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
    ["models: [{ id: m, provider: opnai }]", {}, /models: "m" names the provider "opnai", which is neither in the catalog nor/],
    ["models: [{ id: auto, provider: openai }]", {}, /models: "auto" lets the router choose, so no model can have this id/],
    ["media_models: { tts-1: [{ provider: opnai, model: m }] }", {}, /media_models\.tts-1 names the provider "opnai", which/],
    ["documents: { embedding: { provider: opnai, model: m } }", {}, /documents\.embedding names the provider "opnai", which/],
    [
      "models: [{ id: m, provider: tavily }]",
      {},
      /models: "m" names the provider "tavily", which cannot be asked for chat; it may name openai, anthropic,/,
    ],
    [
      "media_models: { image-a-3: [{ provider: anthropic, model: m }] }",
      {},
      /"anthropic", which cannot be asked for images; it may name openai, google, .*, or a server/,
    ],
    [
      "media_models: { image-b-3: [{ provider: stability, model: m, editor: { model: e } }] }",
      {},
      /image-b-3: editor names the provider "stability", which cannot be asked for edits; it may name openai, google, bfl, fal, or a server/,
    ],
    [
      "media_models: { tts-1: [{ provider: runway, model: m }] }",
      {},
      /media_models\.tts-1 names the provider "runway", which cannot be asked for speech/,
    ],
    [
      "media_models: { video-c: [{ provider: openai, model: m }] }",
      {},
      /"openai", which cannot be asked for video; it may name google, stability, replicate, fal, runway, luma\.\n/,
    ],
    [
      "documents: { embedding: { provider: anthropic, model: m } }",
      {},
      /which cannot be asked for embeddings; it may name openai, google, mistral, together, ollama, local, cohere, jina, voyage, or/,
    ],
    ["documents: { embedding: { provider: sandbox, model: m } }", {}, /"sandbox", which cannot be asked for embeddings/],
    [
      "documents: { embedding: { provider: mine, model: m } }\nproviders: { mine: { base_url: 'http://mine', dialect: anthropic } }",
      {},
      /"mine", which cannot be asked for embeddings/,
    ],
    ["providers: { openai: { key: k, dialect: ollama } }", {}, /providers\.openai\.dialect is "ollama"; OpenAI speaks "openai"/],
    ["providers: { openai: { key: k, headers: { a b: c } } }", {}, /"a b" cannot be the name of a header/],
    ["", { OPENAI_API_KEY: "sk\nx" }, /OPENAI_API_KEY holds a line break or another character that no header can carry/],
    ['providers: { openai: { key: "sk\\nx" } }', {}, /providers\.openai\.key holds a line break/],
    ["providers: { openai: { keys: [{ key: a, weight: 0 }] } }", {}, /weight` must be a number above 0; it was 0/],
    ["port: many", {}, /`port` must be a whole number from 0 to 65535; it was "many"/],
    ["- a", {}, /signalbox\.yaml contains no settings/],
    ["log_level: loud", {}, /`log_level` must be one of "debug", "info", .*; it was "loud"/],
    ["host: a\nport: [", {}, /signalbox\.yaml is not valid YAML near line 2: /],
    ["providers: { openai: { key: env:NOT_SET } }", {}, /providers\.openai\.key names the environment variable NOT_SET/],
    ["search: [altavista]", {}, /search names "altavista"; it may name tavily/],
  ];
  for (const [text, env, complaint] of cases) {
    await Bun.write(file, `${text}\n`);
    const { code, stdout, stderr } = await runHere(["config", "check", "--config", file], env);
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
  const path = join(folder, "data/signalbox.db");
  const database = new Database(path);
  database.run("PRAGMA user_version = 9999");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const before = await Bun.file(path).bytes();
  for (const words of ["serve --port 0", "keys list"]) {
    const { code, stderr } = await run(words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^signalbox: data\/signalbox\.db has schema 9999.*\n$/);
  }
  expect(Buffer.compare(await Bun.file(path).bytes(), before)).toBe(0);
});

test("a file that cannot be a database is said in one line that names it", async () => {
  const file = join(newFolder(), "file");
  await Bun.write(file, "no database at all");
  expect(await runHere(["config", "check", "--db", file])).toEqual({
    code: 1,
    stdout: "",
    stderr: `signalbox: The database ${file} cannot be used: it is not a SQLite database.\n`,
  });
  expect(() => holdDatabase(`${file}/a.db`)).toThrow(`The database ${file}/a.db cannot be used: its folder is a file.`);
  const tooLong = join(newFolder(), ...["x", "y", "z"].map((letter) => letter.repeat(200)), "a.db");
  expect(() => holdDatabase(tooLong)).toThrow(
    `The database ${tooLong} cannot be used: it cannot be created or read there${asThisUser}.`,
  );
});
