/** Which context a number stands in: the nearest word that says what it is, to its left or right, within a bounded distance. */

import { isDigit, isLetter, isNumberSign, isOneOf } from "./characters.ts";
import { completesLabel, type LabelForm, mayName, weighCompound } from "./label-form.ts";
import { type Lexicon, NUMBER_HEADS, type Weight } from "./lexicon.ts";
import { rowStart } from "./number-row.ts";
import { beforeBlank, codeAt, isLetterAt, type Reader, type Span } from "./reader.ts";
import { BARRIER, endsSentence, isHump, isSentenceMark, MAX_WORD, type Word, wordBefore } from "./word-before.ts";

type Context = "for" | "against" | "none";

/** A word that says something, and how far it is from the number. */
type Sighting = { weight: Weight; distance: number };

const weighWord = (lexicon: Lexicon, word: string): Weight | undefined => {
  const lower = word.toLowerCase();
  const known = lexicon.words.get(lower) ?? (lower.endsWith("s") ? lexicon.words.get(lower.slice(0, -1)) : undefined);
  if (known === undefined && lexicon.eventsSpeakAgainst && lower.length > 4 && lower.endsWith("ed")) return "weakly against";
  if (known !== undefined) return known;
  if (lower.charCodeAt(lower.length - 1) < 0x0e00) return weighCompound(lexicon, lower);
  return lexicon.phrases.find(([phrase]) => lower.includes(phrase))?.[1];
};

const CONJUNCTIONS = new Set("and but or while und aber et mais y pero".split(" "));
/** `… over the phone`: how a number was told, not what it is. */
const TELLS_HOW = new Set("over by via".split(" "));
/** Where they are fillers, a label may stand before them, but it is not right beside the number. */
const COPULAS = new Set("is was are be s est ist es è é jest".split(" "));

/** `in order to verify`: no order. */
const isPurpose = ({ text }: Reader, { start, end }: Word): boolean =>
  end - start === "order".length && /^in order to $/i.test(text.slice(start - "in ".length, end + " to ".length));

/** Whether the word may stand between a label and its number. */
const isFiller = (lexicon: Lexicon, word: string): boolean => {
  const lower = word.toLowerCase();
  return NUMBER_HEADS.has(lower) || lexicon.heads.has(lower) || lexicon.fillers.has(lower) || ARTICLES.has(lower);
};
const ARTICLES = new Set("of the a an".split(" "));

/** `quote #12`, `quote # 12`, `клиент № 12`. */
const isNumbered = (reader: Reader, start: number): boolean => isNumberSign(codeAt(reader, beforeBlank(reader, start)));

/**
 * The nearest word decides, with two exceptions. A word that speaks against, but does not stand right before the number, yields to one that
 * speaks for it in the same clause ("the SSN on the loan application is …"). A word that speaks for, but already has its number, speaks for
 * another only in a plain row ("SSNs 1, 2 and 3").
 */
function lookLeft(reader: Reader, lexicon: Lexicon, start: number, reach: number): Sighting | undefined {
  const stop = start - reach;
  let weak: Sighting | undefined;
  let against: Sighting | undefined;
  let isLabel = true;
  let isBeside = true;
  let isRow = true;
  let ended = false;
  let numbers = 0;
  let barriers = 0;
  const form: LabelForm = { headed: isNumbered(reader, start), named: false };
  for (let word = wordBefore(reader, start, stop, 0); word !== undefined; word = wordBefore(reader, word.start, stop, barriers)) {
    numbers += word.numbers;
    barriers += word.breaks + word.numbers;
    if (against !== undefined && word.breaks + word.numbers > 0) return against;
    if (word.ended && lexicon.isConvincing) return undefined;
    ended ||= word.ended;
    const text = reader.text.slice(word.start, word.end);
    const weight = isPurpose(reader, word) ? undefined : weighWord(lexicon, text);
    const sighting = { weight: weight ?? "weakly against", distance: start - word.end + barriers * BARRIER };
    if (weight !== undefined && sighting.distance <= reach) {
      if (weight === "for" && (numbers === 0 || isRow)) return sighting;
      if (weight === "owner" && isLabel && form.headed && weak === undefined && barriers === 0) return sighting;
      if ((weight === "against" || weight === "against if beside") && isLabel && isBeside && !ended) return sighting;
      if (weight === "against") against ??= sighting;
      if (weight === "weakly against" && isLabel && !ended) weak ??= sighting;
    }
    const joins = CONJUNCTIONS.has(text) || isFiller(lexicon, text);
    const isKnown = weight !== undefined || joins;
    if (barriers === 0 && completesLabel(reader, lexicon, form, word, isLabel, isKnown)) weak ??= sighting;
    isLabel &&= weight === "weakly against" || isFiller(lexicon, text);
    isBeside &&= !COPULAS.has(text);
    isRow &&= joins;
  }
  return against ?? weak;
}

/** Whether a word before `start` says that what begins there is of the type. */
export const isCalledSo = (reader: Reader, lexicon: Lexicon, start: number, reach: number): boolean =>
  lookLeft(reader, lexicon, start, reach)?.weight === "for";

const isClauseMark = isOneOf('\n,;|"。、،؛');
const endsClause = (code: number): boolean => code === -1 || isClauseMark(code);

/** `… has SSN 123456789`: the word belongs to the number that follows it. */
function labelsNext(reader: Reader, wordEnd: number): boolean {
  for (let i = wordEnd; i < wordEnd + 4; i++) {
    const code = codeAt(reader, i);
    if (isDigit(code)) return true;
    if (isLetter(code) || endsClause(code)) return false;
    if (endsSentence(reader, i)) return false;
  }
  return false;
}

/**
 * Only within the clause, because what follows a comma, a semicolon, a full stop or an "and" is about something else. A label by its form
 * ("… is the pallet number") says less than a word ("… is a good number to call").
 */
function lookRight(reader: Reader, lexicon: Lexicon, end: number, reach: number): Sighting | undefined {
  let i = end;
  /** Whether the word before may be the name in a label. */
  let named = false;
  let label: Sighting | undefined;
  while (i < end + reach) {
    const code = codeAt(reader, i);
    if (endsClause(code) || isDigit(code)) return label;
    if (isSentenceMark(code) && !isLetterAt(reader, i + 1)) return label;
    if (!isLetter(code)) {
      i++;
      continue;
    }
    const from = i;
    do i++;
    while (i - from < MAX_WORD && isLetterAt(reader, i) && !isHump(codeAt(reader, i - 1), codeAt(reader, i)));
    const word = reader.text.slice(from, i);
    if (CONJUNCTIONS.has(word) || TELLS_HOW.has(word)) return label;
    const weight = weighWord(lexicon, word);
    const speaks = weight === "for" || weight === "against";
    const isLabel = named && lexicon.heads.has(word.toLowerCase());
    if ((speaks || isLabel) && labelsNext(reader, i)) return label;
    if (speaks) return { weight, distance: from - end };
    if (isLabel) label ??= { weight: "weakly against", distance: from - end };
    named = mayName(lexicon, word) && !isFiller(lexicon, word);
  }
  return label;
}

/** `before` and `after`: how many characters are looked at. To the right, only words nearer than the one on the left count. */
export function nearestContext(reader: Reader, span: Span, lexicon: Lexicon, before: number, after: number): Context {
  const left = lookBefore(reader, lexicon, span, before);
  const nearer = left === undefined || left.weight === "weakly against" ? after : Math.min(after, left.distance);
  const right = nearer > 0 ? lookRight(reader, lexicon, span.end, nearer) : undefined;
  const winner = right?.weight === "weakly against" ? (left ?? right) : (right ?? left);
  if (winner === undefined) return "none";
  return winner.weight === "for" || winner.weight === "owner" ? "for" : "against";
}

/** Looks to the left of the first number in the row. The distance is that to `span`, so that words after it may be nearer: "SSN 1, 2 is my order". */
function lookBeforeRow(reader: Reader, lexicon: Lexicon, span: Span, reach: number): Sighting | undefined {
  const first = rowStart(reader, span);
  const sighting = lookLeft(reader, lexicon, first, reach);
  return sighting && { ...sighting, distance: sighting.distance + span.start - first };
}

/**
 * Looks to the left of the number, or of the first number in its row. In a table the number's own cell and the head of its column come first; in a
 * list the line that announces it comes last.
 */
function lookBefore(reader: Reader, lexicon: Lexicon, span: Span, reach: number): Sighting | undefined {
  const { start } = span;
  const place = reader.placeAt?.(start);
  if (place === undefined) return lookBeforeRow(reader, lexicon, span, reach);
  const label = (): Sighting | undefined => {
    const length = place.label.length + 1;
    const sighting = lookLeft({ text: `${place.label} `, touchedEnd: false }, lexicon, length, length);
    return sighting && { ...sighting, distance: reach };
  };
  if (place.ownLength === undefined) return lookBeforeRow(reader, lexicon, span, reach) ?? label();
  return lookLeft(reader, lexicon, start, Math.min(reach, place.ownLength)) ?? label() ?? lookLeft(reader, lexicon, start, reach);
}
