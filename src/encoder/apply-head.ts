/** Computes a head's logits for a text, and functions over logits. */

import type { Head, Inputs, Opening } from "./heads.ts";

/** So many of a request's buckets are its opening: some five words. */
const OPENING_LENGTH = 40;

/** The head's outputs (logits). Sums run in a fixed order, so they are the same everywhere. */
export function applyHead(head: Head, { dense, buckets, count }: Inputs): Float64Array {
  const { outputs, wordScales, bias2, weights2, hidden } = head;
  const sums = new Float64Array(outputs);
  const words = head.wordSums(buckets, count);
  const share = 1 / Math.sqrt(count + 1);
  for (let o = 0; o < outputs; o++) sums[o] = words[o]! * wordScales[o]! * share + bias2[o]!;
  if (head.opening !== undefined) addOpening(head.opening, buckets, count, sums);
  const units = head.hiddenUnits(dense);
  for (let h = 0; h < hidden; h++) {
    const unit = units[h]!;
    if (unit <= 0) continue;
    for (let o = 0; o < outputs; o++) sums[o]! += unit * weights2[o * hidden + h]!;
  }
  return sums;
}

function addOpening({ outputs, words, scales }: Opening, buckets: Int32Array, count: number, sums: Float64Array): void {
  const length = Math.min(OPENING_LENGTH, count);
  const lastBucket = words.length / outputs - 1;
  const share = 1 / Math.sqrt(length + 1);
  for (let o = 0; o < outputs; o++) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += words[(buckets[i]! & lastBucket) * outputs + o]!;
    sums[sums.length - outputs + o]! += sum * scales[o]! * share;
  }
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export function softmax(logits: Float64Array, temperature: number): number[] {
  const top = logits[indexOfMost(logits)]!;
  const powers: number[] = [];
  let total = 0;
  for (let i = 0; i < logits.length; i++) total += powers[i] = Math.exp((logits[i]! - top) / temperature);
  for (let i = 0; i < powers.length; i++) powers[i]! /= total;
  return powers;
}

/** The index of the largest value; the first of equals. */
export function indexOfMost(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}
