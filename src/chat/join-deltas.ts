/**
 * Chunk size adapts (spec.md Events, decisions §5): small prompts get each delta as it came; in a large generation, after 500 tokens,
 * deltas are joined for at most 25 ms or 16 tokens.
 */

import { estimateTokens } from "../lib/estimate-tokens.ts";
import type { OpenedStream, StreamPart } from "./stream-answer.ts";

const SMALL_PROMPT_TOKENS = 1_000;
const JOIN_AFTER_TOKENS = 500;
const LONGEST_JOIN_MS = 25;
const LARGEST_JOIN_TOKENS = 16;

export async function* joinDeltas(stream: OpenedStream): AsyncGenerator<StreamPart> {
  const { parts } = stream;
  try {
    let generated = 0;
    for (let step = await parts.next(); !step.done; step = await parts.next()) {
      if (step.value.type === "text") generated += estimateTokens(step.value.text);
      yield step.value;
      if (generated >= joinAfter(stream)) break;
    }
    yield* joined(parts);
  } finally {
    await parts.return(undefined);
  }
}

/** A large prompt announces a large answer to read: joining begins with the first tokens. */
const joinAfter = (stream: OpenedStream): number =>
  stream.promptTokens() < SMALL_PROMPT_TOKENS ? JOIN_AFTER_TOKENS : LARGEST_JOIN_TOKENS;

async function* joined(parts: AsyncGenerator<StreamPart>): AsyncGenerator<StreamPart> {
  let held = "";
  let heldSince = 0;
  let next = parts.next();
  const flush = (): StreamPart => {
    const text = held;
    held = "";
    return { type: "text", text };
  };
  for (;;) {
    const step = held === "" ? await next : await orLate(next, heldSince + LONGEST_JOIN_MS - performance.now());
    if (step === "late") {
      yield flush();
      continue;
    }
    if (step.done || step.value.type !== "text") {
      if (held !== "") yield flush();
      if (step.done) return;
      yield step.value;
    } else {
      if (held === "") heldSince = performance.now();
      held += step.value.text;
      if (estimateTokens(held) >= LARGEST_JOIN_TOKENS) yield flush();
    }
    next = parts.next();
  }
}

/** A failure that comes meanwhile is thrown by the next look at the same promise. */
const orLate = async <T>(next: Promise<T>, ms: number): Promise<T | "late"> => {
  if (ms <= 0) return "late";
  let timer: Timer | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, ms, "late");
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
};
