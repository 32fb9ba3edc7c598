/** Commands for tests, in a folder of their own. */

import { expect, spyOn } from "bun:test";
import { runCommand } from "../../src/cli/run-command.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { bareEnvironment, runProgram } from "../support/run-program.ts";

type Words = string | string[];
const listOf = (words: Words): string[] => (typeof words === "string" ? words.split(" ") : words);

/** `run("keys list --json")` in the folder; words with spaces are given as a list. `serve` is a process of its own, since it waits for signals. */
export const commandsIn = (cwd: string) => {
  const run = async (words: Words, env: Record<string, string> = {}) => {
    if (listOf(words)[0] === "serve") return runProgram(selfCommand(listOf(words)), { cwd, env });
    const before = process.cwd();
    process.chdir(cwd);
    try {
      return await runHere(words, { ...bareEnvironment, ...env });
    } finally {
      process.chdir(before);
    }
  };
  const json = async (words: string) => {
    const { code, stdout, stderr } = await run(`${words} --json`);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  return { run, json };
};

/** In this process and the current folder. */
export const runHere = async (words: Words, env: Record<string, string> = {}) => {
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += text;
      return true;
    }),
  );
  try {
    return { code: await runCommand(listOf(words), env), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
};
