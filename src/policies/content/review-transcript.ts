/** Content policies for a transcript: its text and each of its segments, so that subtitles hide what the text hides. */

import type { ContentRules } from "./content-rules.ts";
import { decide, type Review, redact, reviewText } from "./review-content.ts";

/** Longer runs of blanks separate what stands around them. */
const MAX_BLANKS = 16;

type Segment = { id: number; start: number; end: number; text: string };
type ReviewedTranscript<S extends Segment> = { review: Review; text: string; segments: S[] };

/**
 * Findings are made in the running text, since a number may be spoken across two segments; such segments are merged. If they are to
 * be blocked, nothing may be sent.
 */
export const reviewTranscript = <S extends Segment>(
  rules: ContentRules,
  text: string,
  segments: readonly S[],
): ReviewedTranscript<S> => {
  const review = reviewText(rules, text);
  const { joined, starts } = joinAsSpoken(text, segments);
  const { merged } = decide(rules, joined, 0, true);
  // `first` is the index of the first finding that does not begin before the piece.
  const pieces: { segment: S; from: number; to: number; first: number }[] = [];
  let first = 0;
  for (const [index, segment] of segments.entries()) {
    const from = starts[index]!;
    const to = from + segment.text.length;
    while (first < merged.length && merged[first]!.start < from) first++;
    const last = pieces.at(-1);
    const isCrossed = first > 0 && merged[first - 1]!.end > from;
    if (last !== undefined && isCrossed) Object.assign(last, { to, segment: { ...last.segment, end: segment.end } });
    else pieces.push({ segment, from, to, first });
  }
  return {
    review,
    text: review.text,
    segments: pieces.map(({ segment, from, to, first }, id) => ({
      ...segment,
      id,
      text: redact(joined, from, to, merged.slice(first, pieces[id + 1]?.first)),
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
