/** Remembers recent classifications, because an agent sends the same question again with the result of each of its tools. */

import type { Encoder } from "../encoder/encoder.ts";
import { createRecent } from "../lib/recent.ts";
import { type Classification, type ClassifyInput, classify, partsOf } from "./classify.ts";
import { textsOf } from "./features/request-texts.ts";

/** `owner`: whose texts they are. Owners share no entries, so that nobody can learn from the time taken what others have asked. */
export type Classifier = (owner: string, input: ClassifyInput) => Classification;

/** The least number of entries kept, of about two kilobytes each. */
const REMEMBERED = 250;

export const createClassifier = (encoder: Encoder): Classifier => {
  const recent = createRecent<Classification>(REMEMBERED);
  // Random, so that nobody can search for two texts with the same hash.
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0]!;
  const digest = (text: string | undefined): string => (text === undefined ? "" : Bun.hash(text, seed).toString(36));
  return (owner, input) => {
    const { text, system, before, giving } = textsOf(input.messages);
    const parts = partsOf(input.messages) ?? "";
    const read = [text, system, before, giving].map(digest).join(" ");
    const key = `${owner} ${input.hasSchema} ${parts} ${read}`;
    const known = recent.find(key);
    if (known !== undefined) return known;
    const found = classify(encoder, input);
    recent.keep(key, found);
    return found;
  };
};
