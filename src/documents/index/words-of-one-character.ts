/**
 * Words and stems of one character in a query, by the term of the query that holds them. The index has only pairs of characters, so they
 * are looked for as the beginning of a pair.
 */

/** A character that may be a word or stem: alone, before hiragana («犬の», «食べ»), or before what may be a Korean particle («물을»). */
const ONE_CHARACTER = /^(?:(\p{Script=Han})\p{Script=Hiragana}?|([가-힣])(\p{Script=Hangul})?)$/u;
/**
 * The particles after a consonant and after a vowel, so that «나이» and «가을» are words of two syllables. Those that many such words end in
 * («지도», «회의», «결과») are left out.
 */
const PARTICLES = { consonant: "은이을에", vowel: "는가를와에" };
/** Among syllables of Hangul, which are sorted by their sounds, every 28th ends in a vowel. */
const soundAtEnd = (syllable: string): keyof typeof PARTICLES =>
  (syllable.charCodeAt(0) - "가".charCodeAt(0)) % 28 === 0 ? "vowel" : "consonant";
const WORD_FIRST = /^[\p{Script=Han}\p{Script=Hangul}]./u;

/** In Japanese and Korean, where what follows tells; in «東京の», «京» is none. */
export const wordsOfOneCharacter = (terms: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    terms.flatMap((term, at) => {
      const [, han, syllable, particle = ""] = ONE_CHARACTER.exec(term) ?? [];
      const character = han ?? syllable;
      if (character === undefined) return [];
      if (syllable !== undefined && !PARTICLES[soundAtEnd(syllable)].includes(particle)) return [];
      const before = terms[at - 1] ?? "";
      const goesOn = particle !== "" && terms[at + 1]?.startsWith(particle);
      return goesOn || (WORD_FIRST.test(before) && before.endsWith(character)) ? [] : [[term, character]];
    }),
  );

const HAN = /^\p{Script=Han}$/u;
const PAIR_OF_HAN = /^\p{Script=Han}{2}$/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A longer question has enough words of two characters; single ones would only make it match more by chance (measured). In terms. */
const LONGEST_QUESTION = 10;

/** In Chinese, where only a dictionary tells: in «鱼怎么炖», «鱼怎» stands for «鱼». Function words (`lesser`) are left out. */
export const chineseWordsOfOneCharacter = (
  text: string,
  terms: readonly string[],
  lesser: ReadonlySet<string>,
): ReadonlyMap<string, string> => {
  if (terms.length > LONGEST_QUESTION || KANA.test(text) || !terms.some((term) => PAIR_OF_HAN.test(term))) return new Map();
  const written = text.normalize("NFKC");
  const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
  return new Map(
    [...segmenter.segment(written)].flatMap(({ segment, index }) => {
      if (!HAN.test(segment) || lesser.has(segment)) return [];
      const pairs = [written.slice(index, index + 2), written.slice(Math.max(0, index - 1), index + 1)];
      const pair = pairs.find((each) => PAIR_OF_HAN.test(each) && terms.includes(each));
      return pair === undefined ? [] : [[pair, segment]];
    }),
  );
};
