/**
 * Finds blocked terms: as whole words, under full case folding, in any script. A blank in a term matches any run of blanks, and invisible
 * characters are skipped.
 */

import { articleStart } from "./attached-articles.ts";
import { foldPoint, isSpace } from "./fold-text.ts";
import { isHangul, readParticle } from "./korean-particles.ts";
import { stepFrom, type TermAutomaton } from "./term-automaton.ts";
import { endsInHalfCharacter, isInvisible } from "./visible-text.ts";

type TermMatch = {
  start: number;
  end: number;
  /** Index into the terms given to `compileTerms`. */
  term: number;
};

type TermScan = {
  /** The longest at each start. One that begins within the one before is given only if it is longer, which bounds what overlaps. */
  found: TermMatch[];
  /** Where the first match starts that more text could still complete or refuse; the text's length if none. */
  openFrom: number;
};

/** No term matches across longer runs of blanks or invisible characters. This bounds how much a stream must hold back. */
const MAX_RUN = 16;
/** When the trail is longer than this, offsets that no term can need any more are dropped. */
const MAX_TRAIL = 8192;

const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
/** Scripts without blanks between words, in which a term matches anywhere. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;

const isAsciiWord = (code: number): boolean => ((code | 32) >= 97 && (code | 32) <= 122) || (code >= 48 && code <= 57);

type Walk = {
  text: string;
  from: number;
  automaton: TermAutomaton;
  node: number;
  /** For each folded unit read since the automaton last was at its root, the offset of its character. */
  trail: number[];
  /** By start: the longest match found there. */
  longest: Map<number, TermMatch>;
  /** Where the first term starts behind which a Korean particle may still end or go on; the text's length if none. */
  particleFrom: number;
};

/** The visible character that ends at or before `index`. */
function characterBefore(text: string, index: number): string {
  if (text.charCodeAt(index - 1) < 128) return text[index - 1]!;
  for (let i = index - 1; i >= Math.max(0, index - MAX_RUN); i--) {
    const low = (text.charCodeAt(i) & 0xfc00) === 0xdc00;
    const point = text.codePointAt(low ? i - 1 : i) ?? 0;
    if (!isInvisible(point)) return String.fromCodePoint(point);
  }
  return "";
}

function characterAfter(text: string, index: number): string {
  if (text.charCodeAt(index) < 128) return text[index]!;
  for (let i = index; i < Math.min(text.length, index + MAX_RUN); i++) {
    const point = text.codePointAt(i)!;
    if (!isInvisible(point)) return String.fromCodePoint(point);
  }
  return "";
}

const isAscii = (character: string): boolean => character < "\x80";

/** Whether two neighbouring characters belong to one word. */
const joins = (before: string, after: string): boolean => {
  if (isAscii(before) && isAscii(after)) return isAsciiWord(before.charCodeAt(0)) && isAsciiWord(after.charCodeAt(0));
  return MARK.test(after) || (WORD.test(before) && WORD.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after));
};

const opensWord = (text: string, start: number): boolean =>
  !joins(characterBefore(text, start), String.fromCodePoint(text.codePointAt(start)!));
function startsWord(text: string, start: number): boolean {
  if (opensWord(text, start)) return true;
  const article = articleStart(text, start);
  return article !== undefined && opensWord(text, article);
}
const endsWord = (text: string, end: number): boolean => !joins(characterBefore(text, end), characterAfter(text, end));

/** Whether the word that begins at `start` ends at `end` because a particle stands there. */
function endsBeforeParticle(walk: Walk, start: number, end: number): boolean {
  if (!isHangul(characterBefore(walk.text, end))) return false;
  const particle = readParticle(walk.text, end);
  if (particle.isOpen) walk.particleFrom = Math.min(walk.particleFrom, start);
  return particle.end !== undefined && endsWord(walk.text, particle.end);
}

/** Where the path of `node` starts in the text; undefined if that is within a character (the second s of ß) or a word. */
function pathStart({ text, trail, automaton }: Walk, node: number): number | undefined {
  const index = trail.length - automaton.depth[node]!;
  const start = trail[index]!;
  return trail[index - 1] === start || !startsWord(text, start) ? undefined : start;
}

function noteMatches(walk: Walk, end: number): void {
  const { ends, shorter } = walk.automaton;
  for (let node = ends[walk.node] !== -1 ? walk.node : shorter[walk.node]!; node !== 0; node = shorter[node]!) {
    const start = pathStart(walk, node);
    if (start === undefined || start < walk.from) continue;
    if (endsWord(walk.text, end) || endsBeforeParticle(walk, start, end))
      walk.longest.set(start, { start, end, term: ends[node]! });
  }
}

/** Reads one folded unit of the character at `start`. */
function readUnit(walk: Walk, unit: number, start: number): void {
  walk.node = stepFrom(walk.automaton, walk.node, unit);
  if (walk.node === 0) walk.trail.length = 0;
  else walk.trail.push(start);
}

function endCharacter(walk: Walk, end: number): void {
  if (walk.node === 0) return;
  noteMatches(walk, end);
  if (walk.trail.length > MAX_TRAIL) walk.trail = walk.trail.slice(-walk.automaton.depth[walk.node]!);
}

/** Reads a character that may fold to several units. */
function read(walk: Walk, form: string, start: number, end: number): void {
  readUnit(walk, form.charCodeAt(0), start);
  for (let k = 1; k < form.length && walk.node !== 0; k++) readUnit(walk, form.charCodeAt(k), start);
  endCharacter(walk, end);
}

/** Runs the automaton over the text. At its root it skips characters that begin no term, which most do. */
function walkText(walk: Walk): void {
  const { text, automaton } = walk;
  let run = 0;
  let runEnd = -1;
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    const start = i++;
    if (code > 32 && code < 128) {
      const idle = walk.node === 0;
      if (
        idle &&
        (automaton.opensAscii[code] === 0 || (isAsciiWord(code) && start > 0 && isAsciiWord(text.charCodeAt(start - 1))))
      )
        continue;
      readUnit(walk, code >= 65 && code <= 90 ? code | 32 : code, start);
      endCharacter(walk, i);
      continue;
    }
    const point = text.codePointAt(start)!;
    if (point > 0xffff) i++;
    const blank = isSpace(point);
    if (!blank && !isInvisible(point)) {
      read(walk, foldPoint(point), start, i);
      continue;
    }
    run = runEnd === start ? run + 1 : 0;
    runEnd = i;
    if (blank ? run % MAX_RUN === 0 : run % MAX_RUN === MAX_RUN - 1) read(walk, " ", start, i);
  }
}

/** The offset where the longest unfinished term at the end of the text starts. */
function unfinishedFrom(walk: Walk): number {
  for (let node = walk.node; node !== 0; node = walk.automaton.fail[node]!) {
    const start = pathStart(walk, node);
    if (start !== undefined) return Math.max(walk.from, start);
  }
  return walk.text.length;
}

/** Matches that start at or after `from`; the text before is context. Everything before `openFrom` is final whatever follows. */
export function scanTerms(grown: string, from: number, automaton: TermAutomaton): TermScan {
  const text = endsInHalfCharacter(grown) ? grown.slice(0, -1) : grown;
  const walk: Walk = { text, from, automaton, node: 0, trail: [], longest: new Map(), particleFrom: text.length };
  walkText(walk);
  const found: TermMatch[] = [];
  for (const match of [...walk.longest.values()].sort((a, b) => a.start - b.start)) {
    const before = found.at(-1);
    if (before === undefined || match.start >= before.end || match.end - match.start > before.end - before.start)
      found.push(match);
  }
  return { found, openFrom: Math.min(unfinishedFrom(walk), walk.particleFrom) };
}
