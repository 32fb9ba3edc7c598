/**
 * Labels by their form: "pallet number", "número de palet", "Palettennummer" and `"pallet": …` name something else, whatever a pallet is.
 */

import { COLON, COMMA, EQUALS_SIGN, isLower, isOneOf, isUpper, SLASH, SPACE } from "./characters.ts";
import type { Lexicon, Weight } from "./lexicon.ts";
import { beforeBlank, codeAt, pastBlank, type Reader, type Span } from "./reader.ts";
import { wordBefore } from "./word-before.ts";

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

/** Besides those, words that may stand right before a number and are no things: function words, and verbs of writing and handling a number. */
const NO_THINGS = new Set(
  `you him she they them who which what where when how why then else because since though while until than there yes yeah okay sure hello
   hey dear please thanks thank sorry just also still again now today yesterday tomorrow always never maybe perhaps too very well about
   around over under down out off into onto via per like between before after behind above below near once twice ago back mine yours hers
   ours theirs both either neither each every some any all none many more most few several another others one does did done doing can
   cannot could would should will shall may might must let been being know knew known think thought guess believe hope need want mean
   remember forget forgot recall keep kept hold held put set saw seen tell told ask hear heard copy paste print store save submit share
   mail redact hide mask remove delete replace shred protect leak block search look match compare call contact bring hand fax scan
   written typing spell spelt going come der die das den dem des ein eine einen einem einer auf zur zum von vom bei mit nach aus für über
   unter und oder aber nicht auch nur noch schon ist sind war waren wird werden hat haben lautet heißt steht gibt bitte danke nein als
   wie sie wir ich ihnen mir les une aux par pour sur sous dans avec sans chez est sont était sera ont voici voilà oui non merci que qui
   elle nous vous los las una unos del con sin por para sobre entre hasta desde fue era está están tiene hay aquí gracias como gli uno
   della dello dei degli nel nella tra fra sono hanno ecco grazie che het een van met voor door bij naar uit ook maar niet zijn heeft
   hebben dit dat deze hier nee dank uma dos nos nas com sem até são foi tem aqui sim não obrigado dla przez przy jest był była tak nie
   oraz lub albo dijo dice digo diga escribió ingrese introduzca dis écrit saisir saisissez sagte sagt schrieb schreibe eingeben detto
   scrive scritto schrijf zegt zei powiedział wpisz disse diz escreva`.split(/\s+/),
);
/** Behind them a capitalised word is no name of a person. */
const DETERMINERS = new Set(
  `the a an this that my your his her our their der die das den dem des ein eine einen einem einer ihr ihre ihren ihrem ihrer mein meine
   meinen unser unsere dieser diese dieses le la les l un une ce cet cette votre notre mon ma el los las una su mi este esta il lo gli i
   uno o os um uma seu sua meu minha de het een uw mijn deze dit`.split(/\s+/),
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
  else if (lexicon.thingsSpeakAgainst && isInitial(reader, word)) return isBeside(reader, word);
  else if (!isKnown && mayName(lexicon, lower)) {
    if (form.headed && !isApart(codeAt(reader, word.end))) return true;
    if (lexicon.thingsSpeakAgainst && (isKey(reader, word) || isThing(reader, word))) return true;
    form.named = true;
  }
  return false;
}

/**
 * `matrícula 12`, `la polizza 12`, `Kiln 12`, `CUSIP 12`: the word right before a number names the thing that has it. Not so the last word of
 * a name (`Ann Lee 12`, `LEE, ANN 12`), and a capitalised one within a sentence only behind an article (`to Ann 12`, `der Kessel 12`).
 */
function isThing(reader: Reader, word: Span): boolean {
  const { start, end } = word;
  if (codeAt(reader, end) !== SPACE || codeAt(reader, end + 1) === SPACE || !isBeside(reader, word)) return false;
  const text = reader.text.slice(start, end);
  const lower = text.toLowerCase();
  if (lower.charCodeAt(0) > LAST_LATIN_LETTER || isNoThing(lower)) return false;
  if (text[0] === lower[0]) return !lower.endsWith("ing");
  if (codeAt(reader, beforeBlank(reader, start)) === COLON) return false;
  const before = wordBefore(reader, start, start - LONGEST_NAME, 0);
  if (before === undefined || before.end < start - 2 || before.breaks > 0) return true;
  const previous = reader.text.slice(before.start, before.end);
  if (DETERMINERS.has(previous.toLowerCase())) return true;
  if (isUpper(previous.charCodeAt(0))) return false;
  return before.end < start - 1 || ACRONYM.test(text);
}
/** In other scripts letters have no case, or little is known about their words. */
const LAST_LATIN_LETTER = 0x24f;
/** With the row of numbers and the words before it, this fits into LOOK_BEHIND. */
const LONGEST_NAME = 18;
const ACRONYM = /^[A-Z]{3,5}$/;

const isNoThing = (word: string): boolean =>
  [word, word.replace(/s$/, "")].some((each) => NO_THINGS.has(each) || NEUTRAL.has(each)) || /(?:ed|ly)$/.test(word);

/** `S/N 12`, `A/C 12`. */
const isInitial = (reader: Reader, { start, end }: Span): boolean =>
  end === start + 1 && (codeAt(reader, end) === SLASH || codeAt(reader, start - 1) === SLASH);

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
  const opens = before === -1 || opensKey(before) || codeAt(reader, beforeBlank(reader, start)) === COMMA;
  if (!isLower(codeAt(reader, start)) || !opens) return false;
  let i = end;
  if (isQuote(codeAt(reader, i))) i++;
  if (codeAt(reader, i) === SPACE) i++;
  return codeAt(reader, i) === COLON || codeAt(reader, i) === EQUALS_SIGN;
}
