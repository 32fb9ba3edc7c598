/** Cosine of a query with every chunk of a project: an exact scan, faster here than sqlite-vec's (retrieval-notes §2.3). */
import type { ProjectIndex } from "./project-index.ts";

/** By position; 0 where the cosine is below 0. `query` has unit length and the index's dimensions. */
export const nearestChunks = (index: ProjectIndex, query: Float32Array): Float32Array => {
  const { vectors, dimensions, size } = index;
  const similarities = new Float32Array(size);
  for (let position = 0, start = 0; position < size; position++, start += dimensions) {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += vectors[start + at]! * query[at]!;
    similarities[position] = Math.max(0, sum);
  }
  return similarities;
};
