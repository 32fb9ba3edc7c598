/**
 * Tells the lines of a prompt that ask for something from pasted text. The prompt is cut into units (lines, or sentences of long lines), and
 * a small learned model scores the first and last few. So a request below a contract is found, whatever the contract says.
 */
import type { Encoder } from "../../encoder/encoder.ts";
import type { FoldText } from "../../encoder/fold-text.ts";
import { BUCKETS, hashWords } from "./hash-words.ts";
import { showsExamples } from "./shows-examples.ts";

/** The number of units scored at each end. */
const EDGE_UNITS = 4;
const LONG_LINE = 80;
const UNIT_CHARACTERS = 240;
const UNIT_BUCKETS = 120;
/** Positions and shapes of a unit, in the order of `shapeOf`. */
export const UNIT_SHAPES = 17;
/** The last two shapes: a brief paragraph below a much longer text («Proofread.»), or above it («tl;dr»). */
const BRIEF_BELOW = UNIT_SHAPES - 2;
const BRIEF_ABOVE = UNIT_SHAPES - 1;
const BRIEF_CHARACTERS = 60;
/** A brief paragraph is part of the instruction from this score on, because it has few words that could raise its score. */
const BRIEF_FLOOR = -1.5;
/** The unit model needs few words, so four of the heads' buckets make one of its own. */
const UNIT_BUCKET_COUNT = BUCKETS / 4;

type Unit = { from: number; to: number; shapes: number[] };

/** The candidate units of a text, in its order; together at most `2 * EDGE_UNITS`. */
export function cutUnits(text: string): Unit[] {
  const head = cutForward(text);
  const consumed = head.at(-1)?.[1] ?? 0;
  const tail = cutBackward(text, consumed);
  const spans = [...head, ...tail];
  return spans.map(([from, to], i) => ({ from, to, shapes: shapeOf(text, from, to, i, spans.length) }));
}

/** Writes the unit's buckets into `into` and returns their number. */
export const hashUnit = (fold: FoldText, text: string, { from, to }: Unit, into: Int32Array): number =>
  hashWords(fold(text, from, Math.min(to, from + UNIT_CHARACTERS)), into, 0, UNIT_BUCKETS);

const isBlank = (code: number): boolean => code <= 32;

function cutForward(text: string): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = 0; at < text.length && spans.length < EDGE_UNITS; ) {
    while (at < text.length && isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) break;
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    if (end - at > LONG_LINE) end = sentenceEnd(text, at, end);
    spans.push([at, end]);
    at = end;
  }
  return spans;
}

function cutBackward(text: string, stop: number): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = text.length; at > stop && spans.length < EDGE_UNITS; ) {
    while (at > stop && isBlank(text.charCodeAt(at - 1))) at--;
    if (at <= stop) break;
    let start = Math.max(stop, text.lastIndexOf("\n", at - 1) + 1);
    if (at - start > LONG_LINE) start = sentenceStart(text, start, at);
    spans.unshift([start, at]);
    at = start;
  }
  return spans;
}

/** The end of the first sentence in a long line; if it is too far away, the end of the longest unit. */
function sentenceEnd(text: string, from: number, to: number): number {
  const reach = Math.min(to, from + UNIT_CHARACTERS * 2);
  for (let i = from + 12; i < reach - 1; i++) if (endsSentence(text, i)) return i + 1;
  return Math.min(to, from + UNIT_CHARACTERS);
}

function sentenceStart(text: string, from: number, to: number): number {
  const reach = Math.max(from, to - UNIT_CHARACTERS * 2);
  for (let i = to - 8; i > reach; i--) if (endsSentence(text, i)) return i + 1;
  return Math.max(from, to - UNIT_CHARACTERS);
}

function endsSentence(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  if (code === 0x3002 || code === 0xff1f || code === 0xff01) return true;
  const stops = code === 46 || code === 63 || code === 33 || code === 58;
  return stops && isBlank(text.charCodeAt(i + 1));
}

function shapeOf(text: string, from: number, to: number, index: number, count: number): number[] {
  const last = text.charCodeAt(to - 1);
  const first = text.charCodeAt(from);
  const length = to - from;
  const afterGap = from > 0 && holdsBlankLine(text, from);
  const beforeGap = text.charCodeAt(to) === 10 && text.charCodeAt(to + 1) === 10;
  const isBrief = length < BRIEF_CHARACTERS && length * 4 < text.length;
  return [
    index === 0 ? 1 : 0,
    index === 1 ? 1 : 0,
    index === count - 1 && count > 1 ? 1 : 0,
    index === count - 2 && count > 2 ? 1 : 0,
    count === 1 ? 1 : 0,
    count === 2 ? 1 : 0,
    length < 30 ? 1 : 0,
    length < 90 ? 1 : 0,
    length > 180 ? 1 : 0,
    last === 58 || last === 0xff1a ? 1 : 0,
    last === 63 || last === 0xff1f ? 1 : 0,
    first === 34 || first === 0x201c || first === 60 || first === 91 || first === 123 ? 1 : 0,
    first === 45 || first === 42 || (first >= 48 && first <= 57) ? 1 : 0,
    beforeGap ? 1 : 0,
    afterGap ? 1 : 0,
    isBrief && afterGap && index === count - 1 ? 1 : 0,
    isBrief && beforeGap && index === 0 ? 1 : 0,
  ];
}

/** Whether at least two line breaks, and nothing else but blanks, precede the unit. */
function holdsBlankLine(text: string, from: number): boolean {
  let breaks = 0;
  for (let i = from - 1; i >= 0 && isBlank(text.charCodeAt(i)); i--) if (text.charCodeAt(i) === 10 && ++breaks === 2) return true;
  return false;
}

/** Log-odds that a unit belongs to the instruction. */
function scoreUnit({ fold, heads }: Encoder, text: string, unit: Unit): number {
  const { words, wordScale, shapes, bias } = heads.units;
  const { buckets } = heads.inputs;
  const count = hashUnit(fold, text, unit, buckets);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += words[buckets[i]! & (UNIT_BUCKET_COUNT - 1)]!;
  let score = bias + (sum * wordScale) / Math.sqrt(count + 1);
  for (let i = 0; i < UNIT_SHAPES; i++) score += unit.shapes[i]! * shapes[i]!;
  return score;
}

const isBriefEdge = ({ shapes }: Unit): boolean => shapes[BRIEF_BELOW]! + shapes[BRIEF_ABOVE]! > 0;

export type Instruction = { text: string; score: number; documentFrom: number; documentTo: number };

/** The units that ask for something, joined; if none is likely to, the likeliest. The document is the longest part outside them. */
export function findInstruction(encoder: Encoder, text: string, limit: number): Instruction {
  const units = cutUnits(text);
  const scores = units.map((unit) => scoreUnit(encoder, text, unit));
  const best = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const floor = Math.min(0, best);
  // Examples ask by what they have in common, and no single one of them tells what that is.
  const chosen = showsExamples(text)
    ? units
    : units.filter((unit, i) => scores[i]! >= (isBriefEdge(unit) ? Math.min(floor, BRIEF_FLOOR) : floor));
  let joined = "";
  for (const unit of chosen)
    if (joined.length < limit) joined += `${text.slice(unit.from, Math.min(unit.to, unit.from + limit))}\n`;
  return { text: joined.slice(0, limit), score: best, ...longestGap(text.length, chosen) };
}

function longestGap(length: number, chosen: Unit[]): { documentFrom: number; documentTo: number } {
  let documentFrom = 0;
  let documentTo = 0;
  let at = 0;
  for (const unit of [...chosen, { from: length, to: length }]) {
    if (unit.from - at > documentTo - documentFrom) [documentFrom, documentTo] = [at, unit.from];
    at = unit.to;
  }
  return { documentFrom, documentTo };
}
