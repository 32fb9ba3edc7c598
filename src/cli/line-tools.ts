/** The parts that decide, by themselves, on standard input and output: one JSON object a line, order kept (decisions §12). */

import type { Environment } from "../config/config.ts";
import { loadEncoder } from "../encoder/encoder.ts";
import { embedLine, refusalLine, routeLine } from "../router/route-line.ts";
import { readWords, UsageError } from "./command.ts";

/** Reads JSON lines from standard input and writes what `answer` makes of each. A line that is none ends the run with its number. */
export const eachLine = async (answer: (line: any) => unknown): Promise<number> => {
  const decoder = new TextDecoder();
  let rest = "";
  let number = 0;
  const out = Bun.stdout.writer();
  const one = (text: string) => {
    number++;
    if (text.trim() === "") return;
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {
      throw new Error(`line ${number} of the input is not JSON`);
    }
    out.write(`${JSON.stringify(answer(line))}\n`);
  };
  try {
    for await (const chunk of Bun.stdin.stream()) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) one(line);
      await out.flush();
    }
    if (rest !== "") one(rest);
  } finally {
    await out.end();
  }
  return 0;
};

export const route = async (words: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = readWords(words, { jsonl: { type: "boolean" }, tier: { type: "string" } }, 1);
  if (!values.jsonl) return (await import("./route.ts")).explainPrompt(positionals[0], values, environment);
  const encoder = await loadEncoder();
  return eachLine((line) => routeLine(encoder, line));
};

export const refusal = async (words: string[]): Promise<number> => {
  requireJsonl(words);
  const encoder = await loadEncoder();
  return eachLine((line) => refusalLine(encoder, line));
};

export const embed = async (words: string[]): Promise<number> => {
  requireJsonl(words);
  const encoder = await loadEncoder();
  return eachLine((line) => embedLine(encoder, line));
};

export const requireJsonl = (words: string[]): void => {
  if (!readWords(words, { jsonl: { type: "boolean" } }).values.jsonl)
    throw new UsageError("This command reads JSON lines: give --jsonl.");
};
