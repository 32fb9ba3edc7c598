/** Content policies for a transcript: its text and each of its segments, so that subtitles hide what the text hides. */

import type { ContentRules } from "./content-rules.ts";
import { decide, type Review, reviewText } from "./review-content.ts";

/** More blanks than that part what stands around them. */
const MAX_BLANKS = 16;

type Segment = { id: number; start: number; end: number; text: string };
type ReviewedTranscript<S extends Segment> = { review: Review; text: string; segments: S[] };

/**
 * Findings are made in the running text, since a number may be spoken across two segments; such segments are merged. If `review.blocked`,
 * nothing may be sent.
 */
export const reviewTranscript = <S extends Segment>(
  rules: ContentRules,
  text: string,
  segments: readonly S[],
): ReviewedTranscript<S> => {
  const review = reviewText(rules, text);
  const { joined, starts } = joinAsSpoken(text, segments);
  const { findings } = decide(rules, joined, 0, true);
  const merged: { segment: S; from: number; to: number }[] = [];
  for (const [index, segment] of segments.entries()) {
    const at = starts[index]!;
    const last = merged.at(-1);
    const crossing = last !== undefined && findings.some(({ start, end }) => start < last.to && end > at);
    if (crossing) Object.assign(last, { to: at + segment.text.length, segment: { ...last.segment, end: segment.end } });
    else merged.push({ segment, from: at, to: at + segment.text.length });
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

/**
 * The segments joined as in the running text, as far as they agree: a cut may go through a number or an address, where a blank of ours
 * would hide it.
 */
const joinAsSpoken = (text: string, segments: readonly Segment[]): { joined: string; starts: number[] } => {
  const starts: number[] = [];
  let joined = "";
  let at = 0;
  for (const segment of segments) {
    const next = at + (text.slice(at, at + MAX_BLANKS).match(/^\s*/)?.[0].length ?? 0);
    const follows = text.startsWith(segment.text, next);
    if (joined !== "" && !(follows && next === at)) joined += " ";
    starts.push(joined.length);
    joined += segment.text;
    at = follows ? next + segment.text.length : text.length;
  }
  return { joined, starts };
};
