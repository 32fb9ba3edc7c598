/** The embeddings that are always there: by the local encoder, on this machine and for nothing. */

import { estimateTokens } from "../lib/estimate-tokens.ts";
import { mapYielding } from "../lib/map-yielding.ts";
import type { Provider } from "./provider.ts";

/** It reads text alone, which callers check before. */
export const localEmbedder = (encoder: { embed(text: string): Float32Array }): Required<Pick<Provider, "embed">> => ({
  embed: async (_model, inputs, _dimensions, { signal }) => {
    const texts = inputs.map(String);
    const vectors = await mapYielding(texts, (text) => encoder.embed(text), signal);
    return { vectors, inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0) };
  },
});
