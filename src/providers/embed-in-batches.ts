/** Embeds texts at one upstream: batches of the provider's size, one after the other, and smaller ones where those hold too much. */

import type { WireDialect } from "./dialect/wire-dialect.ts";
import { estimatedTokens } from "./openai/embed.ts";
import { type EmbeddingInput, noUsage, type Provider, type Vector } from "./provider.ts";
import { callJson } from "./upstream/call-upstream.ts";
import type { UpstreamChannel } from "./upstream/upstream-channel.ts";
import { UpstreamError, withUsage } from "./upstream-error.ts";

/** The longest input of any embedding model. Splitting a batch of no more tokens would not help. */
const LONGEST_INPUT_TOKENS = 8192;

/** Vendors also limit the tokens of one request: Mistral to 16,384, OpenAI to 300,000. */
const holdsTooMuch = (error: unknown, batch: readonly EmbeddingInput[]): boolean =>
  error instanceof UpstreamError &&
  error.kind === "context_length" &&
  batch.length > 1 &&
  estimatedTokens(batch) > LONGEST_INPUT_TOKENS;

/** `provider`: the display name. */
export const embedInBatches =
  (
    channel: UpstreamChannel,
    { batchSize, build, parse }: NonNullable<WireDialect["embed"]>,
    provider: string,
  ): NonNullable<Provider["embed"]> =>
  async (model, inputs, dimensions, context) => {
    const vectors: Vector[] = [];
    let inputTokens = 0;
    let size = batchSize;
    while (vectors.length < inputs.length) {
      const batch = inputs.slice(vectors.length, vectors.length + size);
      const { path, body } = build(model, batch, dimensions);
      try {
        const answer = await channel.withKey(model, (key) =>
          callJson({ ...channel.toRequest(path, key, context, "whole", { text: JSON.stringify(body) }), resend: true }),
        );
        const result = parse(answer, batch, provider, dimensions);
        vectors.push(...result.vectors);
        inputTokens += result.inputTokens;
      } catch (error) {
        // The provider has been paid for the batches before.
        if (!holdsTooMuch(error, batch))
          throw withUsage(error, inputTokens > 0 ? { ...noUsage(), input: inputTokens } : undefined);
        size = Math.ceil(batch.length / 2);
      }
    }
    return { vectors, inputTokens };
  };
