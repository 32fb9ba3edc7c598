/**
 * Past calls by what they asked, as a bounded number of places with outcomes: each call joins the place nearest to its prompt's
 * vector and draws its centre a little. No single prompt is kept, and finding the nearest takes the same time however long the log.
 */

import type { Evidence } from "./learn.ts";

export type Neighbourhood = {
  /** Mean of the vectors of its calls; near unit length only where they are alike. */
  centre: Float64Array;
  /** Its length. */
  norm: number;
  calls: number;
  /** By model id. */
  outcomes: Map<string, Evidence>;
};

export const MOST_NEIGHBOURHOODS = 64;
/** A prompt less alike to all places founds its own while there is room. */
const FOUNDS_ITS_OWN = 0.5;
/** A prompt less alike than this learns nothing from a place. */
const ALIKE = 0.4;
/** A centre keeps moving: it never weighs more than so many calls. */
const HEAVIEST_CENTRE = 200;

type Nearest = { index: number; similarity: number };

/** The place whose centre points most nearly where `vector` does; undefined where there is none. `vector` has unit length. */
export const findNearest = (places: readonly Neighbourhood[], vector: Float32Array): Nearest | undefined => {
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

/** Whether outcomes there say something about the prompt. */
export const isNear = ({ similarity }: Nearest): boolean => similarity >= ALIKE;

/** Changes `places`: the call joins one of them or founds one. Returns where it went. */
export const settle = (places: Neighbourhood[], vector: Float32Array): number => {
  const nearest = findNearest(places, vector);
  if (nearest === undefined || (nearest.similarity < FOUNDS_ITS_OWN && places.length < MOST_NEIGHBOURHOODS)) {
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

/** Four sums side by side, so that no addition waits for the one before; the encoder's dimensions are a multiple of four. */
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

/** As it is stored: a byte a dimension is as exact as an average of prompts can be. */
export const packCentre = (centre: Float64Array): Int8Array => Int8Array.from(centre, (value) => Math.round(value * 127));
export const unpackCentre = (bytes: Uint8Array): Float64Array =>
  Float64Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), (value) => value / 127);
