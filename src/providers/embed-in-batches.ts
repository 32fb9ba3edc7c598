/** Embeds texts at one upstream: batches of the provider's size, one after the other, and smaller ones where those hold too much. */

import { estimateTokens } from "../lib/estimate-tokens.ts";
import { listAt } from "../lib/json-at.ts";
import type { WireDialect } from "./dialect/wire-dialect.ts";
import { type EmbeddingInput, noUsage, type Provider, type Vector } from "./provider.ts";
import { patience } from "./upstream/patience.ts";
import type { UpstreamChannel } from "./upstream/upstream-channel.ts";
import { brokenAnswer } from "./upstream/upstream-failure.ts";
import { faultOf, UpstreamError, withUsage } from "./upstream-error.ts";

/** For a provider that reports no token count. */
const estimatedTokens = (inputs: readonly EmbeddingInput[]): number =>
  inputs.reduce((sum, input) => sum + (typeof input === "string" ? estimateTokens(input) : input.length), 0);

/**
 * Checks that there are as many vectors as inputs, all of one length, and that all numbers fit a float32; anything else would be stored as
 * if it were valid.
 */
const checkedVectors = (vectors: unknown[], inputs: readonly unknown[], provider: string): number[][] => {
  const dimensions = listAt(vectors, 0).length;
  const isVector = (value: unknown): value is number[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length === dimensions &&
    value.every((number) => typeof number === "number" && Number.isFinite(Math.fround(number)));
  if (vectors.length !== inputs.length || !vectors.every(isVector)) {
    throw brokenAnswer("server", provider);
  }
  return vectors;
};

/** The longest input of any embedding model. Splitting a batch of no more tokens would not help. Gap: so many come within the deadline. */
const LONGEST_INPUT_TOKENS = 8192;

/** Vendors also limit the tokens of one request: Mistral to 16,384, OpenAI to 300,000. */
const holdsTooMuch = (error: unknown, batch: readonly EmbeddingInput[]): boolean =>
  error instanceof UpstreamError &&
  error.kind === "context_length" &&
  batch.length > 1 &&
  estimatedTokens(batch) > LONGEST_INPUT_TOKENS;

/** Servers also limit the number of texts: Alibaba 10, Text Embeddings Inference 32 unless told otherwise, Cohere 96. */
const MOST_TEXTS =
  /\b(?:batch|inputs|texts|items)\b.{0,60}?((?:larger than|at most|maximum allowed batch size|max number of inputs is) \d{1,5})\b|\b(at most \d{1,5}) requests\b/i;

/** How many texts the server says that it takes; undefined if that is not what was wrong with the batch. */
const mostTexts = (error: unknown, batch: readonly EmbeddingInput[]): number | undefined => {
  if (!(error instanceof UpstreamError) || faultOf(error.kind) !== "request") return undefined;
  const [, ...bounds] = MOST_TEXTS.exec(error.details.upstreamMessage ?? "") ?? [];
  const bound = bounds.find(Boolean) ?? "";
  const most = Number(/\d+$/.exec(bound)?.[0]);
  // The server may quote a text.
  return most > 0 && most < batch.length && !batch.some((text) => String(text).includes(bound)) ? most : undefined;
};

/** `provider`: the display name. */
export const embedInBatches = (
  channel: UpstreamChannel,
  { batchSize, build, parse, fitSized }: NonNullable<WireDialect["embed"]>,
  provider: string,
): NonNullable<Provider["embed"]> => {
  /** By model, what its server has said that it takes at most. */
  const bounds = new Map<string, number>();
  return async (model, inputs, dimensions, context) => {
    const vectors: Vector[] = [];
    let inputTokens = 0;
    let estimated = false;
    let size = bounds.get(model) ?? batchSize;
    while (vectors.length < inputs.length) {
      const batch = inputs.slice(vectors.length, vectors.length + size);
      const { path, body } = build(model, batch, dimensions);
      try {
        const times = patience(estimatedTokens(batch), LONGEST_INPUT_TOKENS);
        const parsed = parse(await channel.json(path, context, { model, body, patience: times }));
        // An answer that is of no use is billed as well.
        inputTokens += parsed.inputTokens ?? estimatedTokens(batch);
        estimated ||= parsed.inputTokens === undefined;
        const checked = checkedVectors(parsed.vectors, batch, provider);
        vectors.push(...(fitSized && dimensions !== undefined ? checked.map(fitSized) : checked));
      } catch (error) {
        const most = mostTexts(error, batch);
        if (most !== undefined) bounds.set(model, most);
        // The provider has been paid for what it answered before.
        else if (!holdsTooMuch(error, batch))
          throw withUsage(error, inputTokens > 0 ? { ...noUsage(), input: inputTokens } : undefined);
        size = most ?? Math.ceil(batch.length / 2);
      }
    }
    return { vectors, inputTokens, estimated };
  };
};
