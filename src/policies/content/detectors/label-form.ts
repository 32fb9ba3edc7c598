/**
 * Labels by their form: "pallet number", "número de palet", "Palettennummer" and `"pallet": …` name something else, whatever a pallet is.
 */

import { COLON, EQUALS_SIGN, isLower, isOneOf, isUpper, SLASH, SPACE } from "./characters.ts";
import type { Lexicon, Weight } from "./lexicon.ts";
import { beforeBlank, codeAt, pastBlank, type Reader, type Span } from "./reader.ts";

/** What may stand between a head and the name after it: "numéro de palette". */
const PARTICLES = new Set("de d du des di do da del della der of la le el il l".split(" "));

const COMPOUND_HEADS = ["nummer", "nummern", "nummers", "numret", "number", "numero", "zahl", "szám", "száma", "nr", "datum"];
/** Words that, beside a head, name neither a thing nor the holder of the number. */
const NEUTRAL = new Set(
  `my his her your our their its this that these those same following first second new old real fake full partial whole complete valid invalid
   correct wrong right actual true only own s security identity identification ident national federal government gov govt state citizen personal
   person individual account private us usa american steuer identificación identificacion identidad identité identifiant mein meine sein seine
   ihr ihre ma ta sa mi su mia tua sua enter type use verify give gave check provide send sent confirm input write wrote find show see read take
   took get got has have had is was are were be it with by in on at for from to as and or not say says said reply answer result output value
   values tax info secret other body payload raw arg args param variable var foo bar test data text string digits digit field content
   contents here note example sample eg number name beneficiary insured holder owner borrower claimant debtor guarantor tenant spouse husband
   wife child son daughter parent father mother dependent guardian heir witness`.split(/\s+/),
);

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
  if (head === undefined || !lexicon.heads.has(head)) return undefined;
  const name = word.slice(0, -head.length);
  // Up to two letters may link the two parts: Kreditkarte-n-nummer.
  if ([0, 1, 2].some((link) => lexicon.words.get(name.slice(0, name.length - link)) === "for")) return "for";
  return (lexicon.names?.has(name) ?? !NEUTRAL.has(name)) ? "against" : undefined;
}

/** Whether a word beside a head may be a name in a label. */
export const mayName = (lexicon: Lexicon, word: string): boolean => {
  const lower = word.toLowerCase();
  return lower.length > 2 && !lexicon.heads.has(lower) && (lexicon.names?.has(lower) ?? !NEUTRAL.has(lower));
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
  else if (lexicon.keysSpeakAgainst && isInitial(reader, word)) return isBeside(reader, word);
  else if (!isKnown && mayName(lexicon, lower)) {
    if (form.headed && !isApart(codeAt(reader, word.end))) return true;
    if (lexicon.keysSpeakAgainst && (isKey(reader, word) || (isAcronym(reader, word) && isBeside(reader, word)))) return true;
    form.named = true;
  }
  return false;
}

/** `S/N 12`, `A/C 12`. */
const isInitial = (reader: Reader, { start, end }: Span): boolean =>
  end === start + 1 && (codeAt(reader, end) === SLASH || codeAt(reader, start - 1) === SLASH);

/** `CUSIP 12`, but not a word of a text that is all in capitals, nor a value: `Name: LEE 12`. */
function isAcronym(reader: Reader, { start, end }: Span): boolean {
  if (end - start < 3 || end - start > 5) return false;
  for (let i = start; i < end; i++) if (!isUpper(codeAt(reader, i))) return false;
  const before = codeAt(reader, beforeBlank(reader, start));
  return !isUpper(before) && before !== COLON;
}

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
  if (!isLower(codeAt(reader, start)) || !(before === -1 || opensKey(before))) return false;
  let i = end;
  if (isQuote(codeAt(reader, i))) i++;
  if (codeAt(reader, i) === SPACE) i++;
  return codeAt(reader, i) === COLON || codeAt(reader, i) === EQUALS_SIGN;
}
