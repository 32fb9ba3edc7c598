/** The command line as a stranger meets it: help, words that are wrong, and what programs can read. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { commandsIn, runHere } from "./commands-in.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();

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
    // An empty name, as of a variable that is not set.
    "backup ",
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
  expect(await run("keys make")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^There is no command "keys make"\.\n\nUsage: signalbox keys <command>/),
  });
  expect(await run("keys --help")).toMatchObject({ code: 0, stdout: expect.stringContaining("keys revoke") });
});

test("every option in a command's usage is explained below it", () => {
  for (const { name, usage = "", options = [] } of COMMANDS) {
    const named = usage.match(/--[a-z-]+/g) ?? [];
    const explained = options.flatMap(([words]) => words.match(/--[a-z-]+/g) ?? []);
    expect([name, named.filter((option) => !explained.includes(option))]).toEqual([name, []]);
  }
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
  expect(models.find(({ id }) => id === "rerank-local")).toMatchObject({ type: "rerank", provider: "local", available: true });
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

test("demo-data asks nothing of a proxy that the environment names", async () => {
  const { run } = commandsIn(newFolder());
  const proxy = { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" };
  const { code, stdout, stderr } = await run("demo-data --days 1 --calls-per-day 1", proxy);
  expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining('Project "demo" now holds')]);
});
