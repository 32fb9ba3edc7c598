/**
 * Past calls by what they asked, as a bounded number of places with outcomes: each call joins the place nearest to its prompt's
 * vector and draws its centre a little. No single prompt is kept, and finding the nearest takes the same time however long the log.
 */

import type { Evidence } from "./learn.ts";

export type Neighbourhood = {
  /** Mean of the vectors of its calls; near unit length only where they are alike. */
  centre: Float32Array;
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

export type Nearest = { index: number; similarity: number };

/** The place whose centre points most nearly where `vector` does; undefined where there is none. `vector` has unit length. */
export const findNearest = (places: readonly Neighbourhood[], vector: Float32Array): Nearest | undefined => {
  let index = -1;
  let similarity = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < places.length; i++) {
    const found = cosine(places[i]!.centre, vector);
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
    return places.push({ centre: vector.slice(), calls: 1, outcomes: new Map() }) - 1;
  }
  const place = places[nearest.index]!;
  place.calls++;
  const pull = 1 / Math.min(place.calls, HEAVIEST_CENTRE);
  const { centre } = place;
  for (let d = 0; d < centre.length; d++) centre[d]! += (vector[d]! - centre[d]!) * pull;
  return nearest.index;
};

const cosine = (centre: Float32Array, vector: Float32Array): number => {
  let product = 0;
  let squares = 0;
  for (let d = 0; d < vector.length; d++) {
    const value = centre[d]!;
    product += value * vector[d]!;
    squares += value * value;
  }
  return squares > 1e-9 ? product / Math.sqrt(squares) : 0;
};

/** As it is stored: a byte a dimension is as exact as an average of prompts can be. */
export const packCentre = (centre: Float32Array): Int8Array => Int8Array.from(centre, (value) => Math.round(value * 127));
export const unpackCentre = (bytes: Uint8Array): Float32Array =>
  Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), (value) => value / 127);
