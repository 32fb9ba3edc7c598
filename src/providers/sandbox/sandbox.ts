/** The built-in provider for test keys: deterministic, free and without traffic. It serves every model of the catalog (decisions §2). */

import type { Clock } from "../../lib/clock.ts";
import { type Encoder, embedTexts } from "../local-embedder.ts";
import type { CallContext, ChatEvent, ChatRequest, ChatResult, EmbeddingResult, Provider } from "../provider.ts";
import type { ScoreTexts } from "../rerank/local-reranker.ts";
import { UpstreamError } from "../upstream-error.ts";
import { actOut, throwIfAborted, wait } from "./act-out.ts";
import { readAsk } from "./chat/read-ask.ts";
import { sandboxMedia } from "./media/sandbox-media.ts";
import { type Faults, readFaults, slowMsOf } from "./read-faults.ts";

type SandboxOptions = {
  clock: Clock;
  /** The local one. */
  encoder: Encoder;
  /** How long `timeout` keeps a caller waiting. */
  firstByteMs: number;
  /** How the gateway itself ranks texts. */
  scoreTexts: ScoreTexts;
};

/** Loaded with the first call: the code that composes answers brings a schema validator along, and a start should not wait for it. */
const loadComposer = () => import("./chat/compose-answer.ts");

export function createSandbox({ clock, encoder, firstByteMs, scoreTexts }: SandboxOptions): Provider {
  const answerTo = async (model: string, request: ChatRequest, context: CallContext, isStream: boolean) => {
    const ask = await readAsk(request, context.attempt);
    await actOut(ask.faults, context, { firstByteMs, isStream });
    return { answer: (await loadComposer()).composeAnswer(model, request, ask), faults: ask.faults };
  };
  const embed = async (inputs: string[], dimensions: number | undefined, context: CallContext): Promise<EmbeddingResult> => {
    const read = inputs.map((input) => readFaults(input, context.attempt));
    await actOut(new Map(read.flatMap(({ faults }) => [...faults])), context, { firstByteMs });
    const texts = read.map(({ text }) => text);
    const { vectors, inputTokens } = await embedTexts(encoder, texts, context.signal);
    return { vectors: vectors.map((vector) => resized(vector, dimensions)), inputTokens };
  };
  return {
    chat: async (model, request, context) => (await answerTo(model, request, context, false)).answer,
    streamChat: async (model, request, context, take) => {
      const { answer, faults } = await answerTo(model, request, context, true);
      for await (const events of streamed(answer, faults, context)) if (!(await take(events))) return;
    },
    ...sandboxMedia({ clock, firstByteMs, scoreTexts }),
    // The sandbox has no vendor's tokenizer, so it embeds token ids as text.
    embed: (_model, inputs, dimensions, context) => embed(inputs.map(String), dimensions, context),
    embedsTokens: true,
  };
}

async function* streamed(answer: ChatResult, faults: Faults, context: CallContext): AsyncGenerator<readonly ChatEvent[]> {
  const events = [...contentEvents(answer)];
  const disconnects = faults.has("disconnect");
  const sent = disconnects ? events.slice(0, Math.ceil(events.length / 2)) : events;
  // Gap: `slow=MS` holds the first event back for MS, then spreads the others over the same time again.
  const pauseMs = slowMsOf(faults) / Math.max(1, events.length - 1);
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

/** Cut and scaled to unit length, or filled up with zeros, which changes no cosine. */
function resized(vector: Float32Array, dimensions: number | undefined): Float32Array {
  if (dimensions === undefined) return vector;
  const sized = new Float32Array(dimensions);
  sized.set(vector.subarray(0, dimensions));
  const length = Math.hypot(...sized);
  if (length === 0) sized[0] = 1;
  return length === 0 || dimensions >= vector.length ? sized : sized.map((value) => value / length);
}
