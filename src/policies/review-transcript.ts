/** Content policies over a transcript: its text and each of its segments, so that subtitles hide what the text hides. */

import type { ContentRules } from "./content-rules.ts";
import { decide, type Review, reviewText } from "./review-content.ts";

type Segment = { id: number; start: number; end: number; text: string };
export type ReviewedTranscript<S extends Segment> = { review: Review; text: string; segments: S[] };

/**
 * What is found is found in the running text, since a number may be spoken over two segments; such segments become one.
 * `review.blocked` says that nothing of it may leave.
 */
export const reviewTranscript = <S extends Segment>(
  rules: ContentRules,
  text: string,
  segments: readonly S[],
): ReviewedTranscript<S> => {
  const review = reviewText(rules, text);
  const joined = segments.map((segment) => segment.text).join(" ");
  const { findings } = decide(rules, joined, 0, true);
  const merged: { segment: S; from: number; to: number }[] = [];
  let at = 0;
  for (const segment of segments) {
    const last = merged.at(-1);
    const crossing = last !== undefined && findings.some(({ start, end }) => start < last.to && end > at);
    if (crossing) Object.assign(last, { to: at + segment.text.length, segment: { ...last.segment, end: segment.end } });
    else merged.push({ segment, from: at, to: at + segment.text.length });
    at += segment.text.length + 1;
  }
  return {
    review,
    text: review.text,
    segments: merged.map(({ segment, from, to }, id) => ({
      ...segment,
      id,
      text: decide(rules, joined.slice(0, to), from, true).text,
    })),
  };
};
