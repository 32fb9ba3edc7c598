/** Commands for tests: each a process of its own, in a folder of its own. */

import { afterAll, expect, spyOn } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../src/cli/run-command.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { runProgram } from "../support/run-program.ts";

/** Makes folders that are gone after the tests of the file that asks. */
export const temporaryFolders = (): (() => string) => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-cli-"));
    folders.push(folder);
    return folder;
  };
};

/** `run("keys list --json")`; words with spaces are given as a list. */
export const commandsIn = (cwd: string) => {
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
export const runHere = async (words: string, env: Record<string, string> = {}) => {
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
