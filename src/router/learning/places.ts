/**
 * Past calls grouped by their prompts into a bounded number of places with outcomes: each call joins the place nearest to its prompt's
 * vector and moves its centre a little. No single prompt is kept, and finding the nearest place takes the same time however long the log.
 */

import type { Evidence } from "./learn.ts";

export type Place = {
  /** Mean of the vectors of its calls; near unit length only if they are similar. */
  centre: Float64Array;
  /** Its length. */
  norm: number;
  calls: number;
  /** By model id. */
  outcomes: Map<string, Evidence>;
};

export const MOST_PLACES = 64;
/** A prompt that is less similar than this (cosine) to every place begins one, while there is room. */
const FOUNDS_ITS_OWN = 0.5;
/** The outcomes of a place say nothing about a prompt less similar than this. */
const ALIKE = 0.4;
/** The most calls that a centre weighs in its mean, so that it keeps moving. */
const HEAVIEST_CENTRE = 200;

type Nearest = { index: number; similarity: number };

/** The place whose centre is the most similar to `vector`, which has unit length; undefined if there is no place. */
export const findNearest = (places: readonly Place[], vector: Float32Array): Nearest | undefined => {
  let index = -1;
  let similarity = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < places.length; i++) {
    const { centre, norm } = places[i]!;
    const found = norm > 1e-6 ? productOf(centre, vector) / norm : 0;
    if (found > similarity) {
      similarity = found;
      index = i;
    }
  }
  return index < 0 ? undefined : { index, similarity };
};

/** Whether the outcomes of the place say something about the prompt. */
export const isNear = ({ similarity }: Nearest): boolean => similarity >= ALIKE;

/** Adds the call to a place in `places`, or begins one. Returns the place's index. */
export const settle = (places: Place[], vector: Float32Array): number => {
  const nearest = findNearest(places, vector);
  if (nearest === undefined || (nearest.similarity < FOUNDS_ITS_OWN && places.length < MOST_PLACES)) {
    return places.push({ centre: Float64Array.from(vector), norm: 1, calls: 1, outcomes: new Map() }) - 1;
  }
  const place = places[nearest.index]!;
  place.calls++;
  const pull = 1 / Math.min(place.calls, HEAVIEST_CENTRE);
  const { centre } = place;
  for (let d = 0; d < centre.length; d++) centre[d]! += (vector[d]! - centre[d]!) * pull;
  place.norm = lengthOf(centre);
  return nearest.index;
};

/** Four independent sums, so that no addition waits for another; the encoder's dimensions are a multiple of four. */
const productOf = (one: Float64Array, other: Float32Array): number => {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < one.length; i += 4) {
    a += one[i]! * other[i]!;
    b += one[i + 1]! * other[i + 1]!;
    c += one[i + 2]! * other[i + 2]!;
    d += one[i + 3]! * other[i + 3]!;
  }
  return a + b + c + d;
};

export const lengthOf = (vector: Float64Array): number => {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  return Math.sqrt(squares);
};

/** The stored form: one byte for each dimension is exact enough for an average. */
export const packCentre = (centre: Float64Array): Int8Array => Int8Array.from(centre, (value) => Math.round(value * 127));
export const unpackCentre = (bytes: Uint8Array): Float64Array =>
  Float64Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), (value) => value / 127);
