/** A linear function of a text's vector. eval/routing/vector-model.ts trains such models and writes them in this form. */

import type { Encoder } from "../../encoder/encoder.ts";

export type StoredVectorModel = {
  /** The encoder whose vectors the weights read. */
  revision: string;
  /** What a weight of 1 stands for. */
  scale: number;
  bias: number;
  /** One signed byte a dimension, base64. */
  weights: string;
};

/** Log-odds. Zero if the weights were made for another encoder, and for an empty vector. */
export type VectorModel = (encoder: Encoder, vector: Float32Array) => number;

export const openVectorModel = ({ revision, scale, bias, weights: stored }: StoredVectorModel): VectorModel => {
  const weights = Float64Array.from(new Int8Array(Uint8Array.fromBase64(stored).buffer), (byte) => byte * scale);
  return (encoder, vector) => {
    if (encoder.revision !== revision) return 0;
    let sum = 0;
    for (let d = 0; d < vector.length; d++) sum += vector[d]! * weights[d]!;
    return sum === 0 ? 0 : sum + bias;
  };
};
