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

/** A plain iterator in front: until deltas are joined, each part passes without another generator's cost. */
export const joinDeltas = (stream: OpenedStream): AsyncIterableIterator<StreamPart> => {
  const { parts } = stream;
  let generated = 0;
  let joining: AsyncGenerator<StreamPart> | undefined;
  const count = (step: IteratorResult<StreamPart>): IteratorResult<StreamPart> => {
    if (!step.done && step.value.type === "text") {
      generated += estimateTokens(step.value.text);
      if (generated >= joinAfter(stream)) joining = joined(parts);
    }
    return step;
  };
  return {
    next: () => (joining === undefined ? parts.next().then(count) : joining.next()),
    return: async () => {
      await joining?.return(undefined);
      await parts.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};

/** A large prompt announces a large answer to read: joining begins with the first tokens. */
const joinAfter = (stream: OpenedStream): number =>
  stream.promptTokens() < SMALL_PROMPT_TOKENS ? JOIN_AFTER_TOKENS : LARGEST_JOIN_TOKENS;

async function* joined(parts: AsyncIterableIterator<StreamPart>): AsyncGenerator<StreamPart> {
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
