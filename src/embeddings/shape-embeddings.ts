/** Vectors as OpenAI's clients read them: floats, or the base64 that their Node SDK asks for by itself. */

import type { Vector } from "../providers/provider.ts";
import type { Embedded } from "./embed.ts";
import type { EmbeddingBody } from "./wire.ts";

export const toWireEmbeddings = ({ vectors, model, inputTokens, svc }: Embedded, format: EmbeddingBody["encoding_format"]) => ({
  object: "list" as const,
  data: vectors.map((vector, index) => ({
    object: "embedding" as const,
    index,
    embedding: format === "base64" ? littleEndianBase64(vector) : Array.from(vector),
  })),
  model,
  usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
  svc,
});

/** The machines that the runtime runs on are little-endian themselves. */
const littleEndianBase64 = (vector: Vector): string => Buffer.from(new Float32Array(vector).buffer).toString("base64");
