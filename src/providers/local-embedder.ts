/** The embeddings that are always there: by the local encoder, on this machine and for nothing. */

import { estimateTokens } from "../lib/estimate-tokens.ts";
import { mapYielding } from "../lib/map-yielding.ts";
import type { Provider } from "./provider.ts";

export type Encoder = { embed(text: string): Float32Array };

/** Callers have checked before that all of the inputs are texts. */
export const localEmbedder = (encoder: Encoder): Required<Pick<Provider, "embed">> => ({
  embed: (_model, inputs, _dimensions, { signal }) => embedTexts(encoder, inputs.map(String), signal),
});

export const embedTexts = async (encoder: Encoder, texts: readonly string[], signal: AbortSignal) => ({
  vectors: await mapYielding(texts, (text) => encoder.embed(text), signal),
  inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
});
