/** Cosine of a query with a project's chunks: exact, in plain TypeScript, faster here than sqlite-vec's scan (retrieval-notes §2.3). */
import type { ProjectIndex } from "./project-index.ts";

/** `query` has unit length and the index's dimensions; a cosine below 0 counts as 0. */
export const cosineAt = ({ vectors, scales, dimensions }: ProjectIndex, query: Float32Array, position: number): number => {
  let sum = 0;
  for (let at = 0, from = position * dimensions; at < dimensions; at++) sum += vectors[from + at]! * query[at]!;
  return Math.max(0, sum * scales[position]!);
};

/** Of all chunks, by position. */
export const nearestChunks = (index: ProjectIndex, query: Float32Array): Float32Array => {
  const similarities = new Float32Array(index.size);
  for (let position = 0; position < index.size; position++) similarities[position] = cosineAt(index, query, position);
  return similarities;
};
