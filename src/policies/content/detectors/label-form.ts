/**
 * Labels by their form: "pallet number", "número de palet", "Palettennummer" and `"pallet": …` name something else, whatever a pallet is.
 */

import { isDash, isLower, isOneOf } from "./characters.ts";
import { DETERMINERS, NEUTRAL, NO_THINGS } from "./label-words.ts";
import type { Lexicon, Weight } from "./lexicon.ts";
import { beforeBlank, codeAt, isAt, pastBlank, type Reader, type Span } from "./reader.ts";
import { isAbbreviation, wordBefore } from "./word-before.ts";

/** What may stand between a head and the name after it: "numéro de palette". */
const PARTICLES = new Set("de d du des di do da del della der of la le el il l".split(" "));

const COMPOUND_HEADS = ["nummer", "nummern", "nummers", "numret", "number", "numero", "zahl", "szám", "száma", "nr", "datum"];
/** `sessionid`, `cardno`: programs write so, and the first part is a word of the lexicon. */
const CODE = /^(\p{L}{3,20}?)(?:id|no|num)$/u;
const QUOTES = `"'\``;
const isQuote = isOneOf(QUOTES);
/** What may stand right before a key, besides the beginning of the text. */
const opensKey = isOneOf(`${QUOTES}\n{,;&?|_-`);

/**
 * `Palettennummer`, `Kaufdatum`: in Germanic languages such a label is one word. Its first part decides; an unknown one names something
 * else.
 */
export function weighCompound(lexicon: Lexicon, word: string): Weight | undefined {
  const head = COMPOUND_HEADS.find((each) => word.length > each.length + 2 && word.endsWith(each));
  if (head === undefined) return lexicon.words.get(CODE.exec(word)?.[1] ?? "");
  if (!lexicon.heads.has(head)) return undefined;
  const name = word.slice(0, -head.length);
  // Up to two letters may link the two parts: Kreditkarte-n-nummer.
  if ([0, 1, 2].some((link) => lexicon.words.get(name.slice(0, name.length - link)) === "for")) return "for";
  return (lexicon.names?.has(name) ?? !NEUTRAL.has(name)) ? "against" : undefined;
}

/** Whether a word beside a head, which is none itself, may be a name in a label. */
export const mayName = (lexicon: Lexicon, word: string): boolean => {
  const lower = word.toLowerCase();
  return lower.length > 2 && (lexicon.names?.has(lower) ?? !NEUTRAL.has(lower));
};

/** What has been read, from right to left, of a label whose words are not listed: its head, or its name. */
export type LabelForm = { headed: boolean; named: boolean };

/**
 * Whether `word` completes such a label: "pallet number", "pallet #", "número de palet", `pallet=`. `isOpen` says that only words of a
 * label stand between it and the number.
 */
export function completesLabel(
  reader: Reader,
  lexicon: Lexicon,
  form: LabelForm,
  word: Span,
  isOpen: boolean,
  isKnown: boolean,
): boolean {
  const lower = reader.text.slice(word.start, word.end).toLowerCase();
  if (form.named) {
    form.named = PARTICLES.has(lower);
    return lexicon.heads.has(lower);
  }
  if (!isOpen) return false;
  if (lexicon.heads.has(lower)) form.headed = true;
  else if (!isKnown && lexicon.thingsSpeakAgainst && (isInitials(reader, word) || isQueryKey(reader, word))) return true;
  else if ((lexicon.thingsSpeakAgainst || isPlainAndConvincing(lexicon)) && isInitial(reader, word))
    return isBeside(reader, word);
  else if (!isKnown && mayName(lexicon, lower)) {
    if (form.headed && !isApart(codeAt(reader, word.end))) return true;
    if (lexicon.thingsSpeakAgainst && (isKey(reader, word) || isThing(reader, lexicon, word))) return true;
    form.named = !NO_THINGS.has(lower);
  }
  return false;
}

/** `matrícula 12`, `la polizza 12`, `Kiln 12`, `CUSIP 12`: the word right before a number names the thing that has it. */
function isThing(reader: Reader, lexicon: Lexicon, word: Span): boolean {
  const { start } = word;
  // `reg. 12`
  const end = isAt(reader, word.end, ".") && isAbbreviation(reader, word.end) ? word.end + 1 : word.end;
  if (!isAt(reader, end, " ") || isAt(reader, end + 1, " ") || isDash(codeAt(reader, end + 1))) return false;
  if (!isBeside(reader, word)) return false;
  const text = reader.text.slice(start, word.end);
  const lower = text.toLowerCase();
  if (lower.charCodeAt(0) > LAST_LATIN_LETTER || isNoThing(lower)) return false;
  return text[0] === lower[0] ? !lower.endsWith("ing") : !mayBePerson(reader, lexicon, start);
}

/**
 * Whether a capitalised word before a number may be somebody's name: it stands behind another word ("to Ann 12", "LEE, ANN 12") that is no
 * article ("der Kessel 12"). Before a date any may be one.
 */
function mayBePerson(reader: Reader, lexicon: Lexicon, start: number): boolean {
  const before = wordBefore(reader, start, start - LONGEST_NAME, 0);
  if (before === undefined || before.end < start - 2 || before.breaks > 0) return lexicon.eventsSpeakAgainst;
  const previous = reader.text.slice(before.start, before.end);
  // `GenBank 12`, but `McDonald 12`.
  return before.end === start ? NAME_PREFIXES.has(previous) : !DETERMINERS.has(previous.toLowerCase());
}

/** In other scripts letters have no case, or little is known about their words. */
const LAST_LATIN_LETTER = 0x24f;
const NAME_PREFIXES = new Set("Mc Mac De Di Du La Le Van Von Fitz".split(" "));
/** With the row of numbers and the words before it, this fits into LOOK_BEHIND. */
const LONGEST_NAME = 18;

const isNoThing = (word: string): boolean =>
  [word, word.replace(/s$/, "")].some((each) => NO_THINGS.has(each) || NEUTRAL.has(each)) || /(?:ed|ly)$/.test(word);

/** Numbers of which any label counts: those of cards and dashed social-security numbers, but not of phones (`T/F 12`). */
const isPlainAndConvincing = ({ isConvincing, names }: Lexicon): boolean => isConvincing && names === undefined;

/** `S/N 12`, `A/C 12`. */
const isInitial = (reader: Reader, { start, end }: Span): boolean =>
  end === start + 1 && (isAt(reader, end, "/") || isAt(reader, start - 1, "/"));

/** `DL# 12`, `RX# 12`. */
const isInitials = ({ text }: Reader, { start, end }: Span): boolean => /^[A-Z]{2}#$/.test(text.slice(start, end + 1));

/** `?d=12`, `&n=12`. */
const isQueryKey = ({ text }: Reader, { start, end }: Span): boolean =>
  /^[?&][a-z]{1,2}=$/.test(text.slice(Math.max(0, start - 1), end + 1));

/** Not so in `LEE,12`, `| LEE | 12` and `LEE (12)`, where the word is a field of its own. */
const isBeside = (reader: Reader, { end }: Span): boolean =>
  !endsField(codeAt(reader, end)) && !endsField(codeAt(reader, pastBlank(reader, end)));
const endsField = isOneOf(",;|(\n\t");

/** `Ann Lee, number 12`: what separates a name from a head that does not belong to it. */
const isApart = isOneOf(',:;|"\n');

/**
 * `pallet: `, `"pallet":`, `?pallet=`, `stock_pallet = `: a lower-case word before a colon or an equals sign, at the beginning of a line or
 * field.
 */
function isKey(reader: Reader, { start, end }: Span): boolean {
  const before = codeAt(reader, start - 1);
  const opens = before === -1 || opensKey(before) || isAt(reader, beforeBlank(reader, start), ",");
  if (!isLower(codeAt(reader, start)) || !opens) return false;
  let i = end;
  if (isQuote(codeAt(reader, i))) i++;
  if (isAt(reader, i, " ")) i++;
  return isAt(reader, i, ":") || isAt(reader, i, "=");
}
