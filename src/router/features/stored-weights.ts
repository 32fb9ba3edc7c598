/** The weights of a small linear model in a source file. eval/routing/linear-model.ts writes them. */

export type StoredWeights = {
  /** The encoder whose vectors the weights read, if they read any. */
  revision?: string;
  /** What a byte of 1 stands for. */
  scale: number;
  bias: number;
  /** One signed byte each, base64. */
  weights: string;
};

export const unpackWeights = ({ weights }: StoredWeights): Int8Array => new Int8Array(Uint8Array.fromBase64(weights).buffer);
