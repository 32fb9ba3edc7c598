/** The built-in provider behind test keys: deterministic, free, no traffic; it stands in for every model of the catalog (decisions §2). */

import type { Clock } from "../../lib/clock.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { mapYielding } from "../../lib/map-yielding.ts";
import type { CallContext, ChatEvent, ChatRequest, ChatResult, EmbeddingResult, Provider } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { sandboxMedia } from "./media/sandbox-media.ts";
import { activeTriggers, type FaultName, parseTriggers, type Trigger } from "./parse-triggers.ts";
import { readAsk } from "./read-ask.ts";
import { throwIfAborted, wait } from "./wait.ts";

type SandboxOptions = {
  clock: Clock;
  /** The local encoder; without it the sandbox serves no embeddings. */
  encoder?: { embed(text: string): Float32Array };
  /** How long `timeout` keeps a caller waiting at most. */
  firstByteMs: number;
};

const RETRY_AFTER_MS = 250;

/** With the first call of a test key: what composes answers brings a schema validator along, and a start should not wait for it. */
const loadComposer = () => import("./compose-answer.ts");

export function createSandbox({ clock, encoder, firstByteMs }: SandboxOptions): Provider {
  return {
    id: "sandbox",
    chat: (model, request, context) => chat(model, request, context, firstByteMs),
    streamChat: async (model, request, context, take) => {
      for await (const events of streamChat(model, request, context, firstByteMs)) if (!(await take(events))) return;
    },
    ...sandboxMedia({ clock, firstByteMs }),
    ...(encoder && {
      embed: (_model, inputs, dimensions, context) => embed(encoder, inputs, dimensions, context, firstByteMs),
      // It knows no vendor's tokens: the numbers are the text.
      embedTokens: (_model, inputs, dimensions, context) => embed(encoder, inputs.map(String), dimensions, context, firstByteMs),
    }),
  };
}

async function chat(model: string, request: ChatRequest, context: CallContext, firstByteMs: number): Promise<ChatResult> {
  const ask = readAsk(request, context.attempt);
  const faults = activeTriggers(ask.triggers, context.attempt);
  await failFirst(faults, context, firstByteMs);
  if (faults.has("disconnect"))
    throw new UpstreamError("network", "The sandbox dropped the connection, as it was told to.", { accepted: true });
  return (await loadComposer()).composeAnswer(model, request, ask, faults);
}

async function* streamChat(
  model: string,
  request: ChatRequest,
  context: CallContext,
  firstByteMs: number,
): AsyncGenerator<readonly ChatEvent[]> {
  const ask = readAsk(request, context.attempt);
  const faults = activeTriggers(ask.triggers, context.attempt);
  await failFirst(faults, context, firstByteMs, true);
  const answer = (await loadComposer()).composeAnswer(model, request, ask, faults);
  const events = [...contentEvents(answer)];
  const until = faults.has("disconnect") ? Math.ceil(events.length / 2) : events.length;
  // Gap: `slow=MS` holds the first event back for MS, then spreads the rest over the same time again.
  const pauseMs = (faults.get("slow")?.ms ?? 0) / Math.max(1, events.length - 1);
  for (const [index, event] of events.slice(0, until).entries()) {
    if (pauseMs > 0 && index > 0) await wait(pauseMs, context);
    throwIfAborted(context.signal);
    yield [event];
  }
  if (faults.has("disconnect")) {
    throw new UpstreamError("truncated", "The sandbox dropped the connection in the middle, as it was told to.", {
      accepted: true,
    });
  }
  yield [
    { type: "usage", usage: answer.usage },
    {
      type: "finish",
      reason: answer.finishReason,
      ...(answer.stopSequence !== undefined && { stopSequence: answer.stopSequence }),
    },
  ];
}

/** What happens before a first byte: waiting, then the failures that answer nothing. A slow whole answer has no first-byte deadline, as elsewhere. */
async function failFirst(
  faults: Map<FaultName, Trigger>,
  context: CallContext,
  firstByteMs: number,
  isStream = false,
): Promise<void> {
  throwIfAborted(context.signal);
  const slowMs = faults.get("slow")?.ms ?? 0;
  if (slowMs > 0) await wait(slowMs, context, isStream ? firstByteMs : undefined);
  if (faults.has("timeout")) await wait(Number.POSITIVE_INFINITY, context, firstByteMs);
  if (faults.has("rate-limit")) {
    throw new UpstreamError("rate_limit", "The sandbox limits the rate, as it was told to.", {
      status: 429,
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
  if (faults.has("error-500") || faults.has("fail")) {
    throw new UpstreamError("server", "The sandbox failed, as it was told to.", { status: 500 });
  }
}

function* contentEvents(answer: ChatResult): Generator<ChatEvent> {
  for (const text of wordsOf(answer.reasoning ?? "")) yield { type: "reasoning", text };
  for (const text of wordsOf(answer.text)) yield { type: "text", text };
  for (const [index, call] of answer.toolCalls.entries()) {
    yield { type: "tool-start", index, id: call.id, name: call.name };
    for (const text of wordsOf(call.arguments)) yield { type: "tool-arguments", index, text };
  }
}

const PIECE = 16;

/** A text in word-sized pieces that join to it exactly; long runs without spaces are cut, never inside a character. */
export const wordsOf = (text: string): string[] =>
  (text.match(/\S+\s*|^\s+/g) ?? []).flatMap((word) => {
    if (word.length <= PIECE * 2) return [word];
    const characters = [...word];
    return Array.from({ length: Math.ceil(characters.length / PIECE) }, (_, at) =>
      characters.slice(at * PIECE, (at + 1) * PIECE).join(""),
    );
  });

async function embed(
  encoder: NonNullable<SandboxOptions["encoder"]>,
  inputs: string[],
  dimensions: number | undefined,
  context: CallContext,
  firstByteMs: number,
): Promise<EmbeddingResult> {
  const parsed = inputs.map(parseTriggers);
  await failFirst(
    activeTriggers(
      parsed.flatMap(({ triggers }) => triggers),
      context.attempt,
    ),
    context,
    firstByteMs,
  );
  const texts = parsed.map(({ text }) => text);
  const vectors = await mapYielding(
    texts,
    (text) => (dimensions === undefined ? encoder.embed(text) : resized(encoder.embed(text), dimensions)),
    context.signal,
  );
  return { vectors, inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0) };
}

/** Cut and brought back to unit length, or filled up with zeros, which leaves every cosine as it was. */
function resized(vector: Float32Array, dimensions: number): Float32Array {
  const sized = new Float32Array(dimensions);
  sized.set(vector.subarray(0, dimensions));
  const length = Math.hypot(...sized);
  if (length === 0) sized[0] = 1;
  else if (dimensions < vector.length) for (let i = 0; i < dimensions; i += 1) sized[i] = (sized[i] as number) / length;
  return sized;
}
