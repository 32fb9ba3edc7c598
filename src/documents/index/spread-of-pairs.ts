/** How similar unrelated texts are in an embedder's space: 0.75 for one model, 0.08 for another. Measured on the project's own chunks. */
import type { ProjectIndex } from "./project-index.ts";

const PAIRS = 500;
/** For too few chunks: figures between those of common models. */
const UNKNOWN = { mean: 0.35, spread: 0.1 };
/** The mean can be told from fewer pairs than the spread. */
const LEAST_FOR_MEAN = 5;
const LEAST_FOR_SPREAD = 30;

type Spread = { mean: number; spread: number };

/** Mean and standard deviation of the cosine of chunk pairs from different documents where there are several; the same each time. */
const measureSpread = ({ size, vectors, scales, dimensions, documentOf, documents }: ProjectIndex): Spread => {
  if (size < LEAST_FOR_MEAN) return UNKNOWN;
  let sum = 0;
  let squares = 0;
  let pairs = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const left = (pair * 7_919) % size;
    const right = (pair * 104_729 + 13) % size;
    if (left === right || (documents.length > 1 && documentOf[left] === documentOf[right])) continue;
    let cosine = 0;
    for (let at = 0; at < dimensions; at++) cosine += vectors[left * dimensions + at]! * vectors[right * dimensions + at]!;
    cosine *= scales[left]! * scales[right]!;
    sum += cosine;
    squares += cosine * cosine;
    pairs++;
  }
  if (pairs < LEAST_FOR_MEAN) return UNKNOWN;
  const mean = sum / pairs;
  if (pairs < LEAST_FOR_SPREAD || size < LEAST_FOR_SPREAD) return { ...UNKNOWN, mean };
  return { mean, spread: Math.sqrt(Math.max(1e-4, squares / pairs - mean * mean)) };
};

/** Measured once for each version of the index. */
export const spreadOf = (index: ProjectIndex): Spread => (index.spread ??= measureSpread(index));
