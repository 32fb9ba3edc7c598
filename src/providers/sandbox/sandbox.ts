/** The built-in provider for test keys: deterministic, free and without traffic. It serves every model of the catalog (decisions §2). */

import type { Clock } from "../../lib/clock.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { mapYielding } from "../../lib/map-yielding.ts";
import type { CallContext, ChatEvent, ChatRequest, ChatResult, EmbeddingResult, Provider } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { actOut, throwIfAborted, wait } from "./act-out.ts";
import { readAsk } from "./chat/read-ask.ts";
import { sandboxMedia } from "./media/sandbox-media.ts";
import { readFaults } from "./parse-triggers.ts";

type Encoder = { embed(text: string): Float32Array };

type SandboxOptions = {
  clock: Clock;
  /** The local one. */
  encoder: Encoder;
  /** How long `timeout` keeps a caller waiting. */
  firstByteMs: number;
};

/** Loaded with the first call: the code that composes answers brings a schema validator along, and a start should not wait for it. */
const loadComposer = () => import("./chat/compose-answer.ts");

export function createSandbox({ clock, encoder, firstByteMs }: SandboxOptions): Provider {
  return {
    chat: (model, request, context) => chat(model, request, context, firstByteMs),
    streamChat: async (model, request, context, take) => {
      for await (const events of streamChat(model, request, context, firstByteMs)) if (!(await take(events))) return;
    },
    ...sandboxMedia({ clock, firstByteMs }),
    embed: (_model, inputs, dimensions, context) => embed(encoder, inputs, dimensions, context, firstByteMs),
    // The sandbox has no vendor's tokenizer, so it embeds the ids as text.
    embedTokens: (_model, inputs, dimensions, context) => embed(encoder, inputs.map(String), dimensions, context, firstByteMs),
  };
}

async function chat(model: string, request: ChatRequest, context: CallContext, firstByteMs: number): Promise<ChatResult> {
  const ask = await readAsk(request, context.attempt);
  await actOut(ask.faults, context, { firstByteMs });
  return (await loadComposer()).composeAnswer(model, request, ask);
}

async function* streamChat(
  model: string,
  request: ChatRequest,
  context: CallContext,
  firstByteMs: number,
): AsyncGenerator<readonly ChatEvent[]> {
  const ask = await readAsk(request, context.attempt);
  await actOut(ask.faults, context, { firstByteMs, isStream: true });
  const answer = (await loadComposer()).composeAnswer(model, request, ask);
  const events = [...contentEvents(answer)];
  const disconnects = ask.faults.has("disconnect");
  const sent = disconnects ? events.slice(0, Math.ceil(events.length / 2)) : events;
  // Gap: `slow=MS` holds the first event back for MS, then spreads the others over the same time again.
  const pauseMs = (ask.faults.get("slow")?.ms ?? 0) / Math.max(1, events.length - 1);
  for (const [index, event] of sent.entries()) {
    if (pauseMs > 0 && index > 0) await wait(pauseMs, context);
    throwIfAborted(context.signal);
    yield [event];
  }
  if (disconnects)
    throw new UpstreamError("truncated", "The sandbox dropped the connection in the middle, as the prompt asked for.", {
      accepted: true,
    });
  const { usage, finishReason: reason, stopSequence } = answer;
  yield [
    { type: "usage", usage },
    { type: "finish", reason, ...(stopSequence !== undefined && { stopSequence }) },
  ];
}

function* contentEvents(answer: ChatResult): Generator<ChatEvent> {
  for (const text of wordsOf(answer.reasoning ?? "")) yield { type: "reasoning", text };
  for (const text of wordsOf(answer.text)) yield { type: "text", text };
  for (const [index, call] of answer.toolCalls.entries()) {
    yield { type: "tool-start", index, id: call.id, name: call.name };
    for (const text of wordsOf(call.arguments)) yield { type: "tool-arguments", index, text };
  }
}

const LONG_WORD = 32;

/** The text in pieces, one for each word with the space behind it; long words are cut in two or more, never inside a character. */
export const wordsOf = (text: string): string[] =>
  (text.match(/\S+\s*|^\s+/g) ?? []).flatMap((word) => (word.length <= LONG_WORD ? [word] : word.match(/.{1,16}/gsu)!));

async function embed(
  encoder: Encoder,
  inputs: string[],
  dimensions: number | undefined,
  context: CallContext,
  firstByteMs: number,
): Promise<EmbeddingResult> {
  const read = inputs.map((input) => readFaults(input, context.attempt));
  await actOut(new Map(read.flatMap(({ faults }) => [...faults])), context, { firstByteMs });
  const texts = read.map(({ text }) => text);
  const vectors = await mapYielding(
    texts,
    (text) => (dimensions === undefined ? encoder.embed(text) : resized(encoder.embed(text), dimensions)),
    context.signal,
  );
  return { vectors, inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0) };
}

/** Cut and scaled to unit length, or filled up with zeros, which changes no cosine. */
function resized(vector: Float32Array, dimensions: number): Float32Array {
  const sized = new Float32Array(dimensions);
  sized.set(vector.subarray(0, dimensions));
  const length = Math.hypot(...sized);
  if (length === 0) sized[0] = 1;
  else if (dimensions < vector.length) for (let i = 0; i < dimensions; i += 1) sized[i] = (sized[i] as number) / length;
  return sized;
}
