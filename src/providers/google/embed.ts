/** Embeddings by Gemini's batchEmbedContents. */

import { listAt, recordAt } from "../../lib/json-at.ts";
import { firstCount } from "../dialect/token-counts.ts";
import type { EmbedCall, ParsedEmbedding } from "../dialect/wire-dialect.ts";
import type { EmbeddingInput } from "../provider.ts";
import { modelPath } from "./build-request.ts";

export const buildGoogleEmbedding = (
  model: string,
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
): EmbedCall => ({
  path: `/v1beta/${modelPath(model)}:batchEmbedContents`,
  body: {
    requests: inputs.map((text) => ({
      model: modelPath(model),
      content: { parts: [{ text }] },
      outputDimensionality: dimensions,
    })),
  },
});

export const parseGoogleEmbedding = (body: unknown): ParsedEmbedding => ({
  vectors: listAt(body, "embeddings").map((entry) => listAt(entry, "values")),
  inputTokens: firstCount(recordAt(body, "usageMetadata"), "promptTokenCount"),
});

/** Vectors of fewer dimensions than the model's own do not come with unit length. */
export const toUnitLength = (vector: number[]): number[] => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
};
