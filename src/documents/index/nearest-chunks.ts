/** Cosines of a query with a project's chunks: exact, in memory, faster than sqlite-vec's scan (retrieval-notes §2.3). */
import { dotProduct, dotProducts } from "./dot-products.ts";
import type { ProjectIndex } from "./project-index.ts";

/** A query's vector as integers; the error is smaller than that of the stored vectors. */
type IntegerVector = Int16Array;

const ONE = 32_767;

/** For a vector of unit length. */
export const integerVector = (vector: Float32Array): IntegerVector => Int16Array.from(vector, (value) => Math.round(value * ONE));

/** The cosine of the chunk at a position; below 0 it counts as 0. */
type Nearness = (position: number) => number;

const nearness = ({ scales }: ProjectIndex, sumAt: (position: number) => number): Nearness => {
  return (position) => Math.max(0, (sumAt(position) * scales[position]!) / ONE);
};

/** Computes each cosine when it is asked for: for a few chunks. `query` has the index's dimensions. */
export const nearnessOfSome = (index: ProjectIndex, query: IntegerVector): Nearness =>
  nearness(index, (position) => dotProduct(index.vectors, position * index.dimensions, query));

/** Computes all cosines at once: for most chunks. */
export const nearnessOfAll = (index: ProjectIndex, query: IntegerVector): Nearness => {
  const sums = dotProducts(index.vectors, index.size, query);
  return nearness(index, (position) => sums[position]!);
};
