/** Words and signs at which a text breaks off, in many languages: a conjunction, an article, a comma, an operator. */

/** Words that cannot end a sentence, nor do so in any of the other languages. */
const UNFINISHED_WORDS = new Set(
  `and the because whose their your its our whether during whereas although unless every nor among
   und oder für dass weil deren dessen sowie aber wenn obwohl sodass indem zwischen samt vom zum zur beim
   et parce dont lorsque puisque chaque cette des
   cuyo cuya porque aunque hacia desde
   ed gli di della nei nella che dello degli agli nello poiché affinché oppure
   pela numa aos às
   omdat zodat terwijl tussen
   och att eller og
   lub oraz że ponieważ który która które dla lecz żeby gdyż których którym
   nebo protože který která hogy mert amely és și sau pentru
   и или чтобы но который которая которые для в с на если между об из над перед без которого которой которых або щоб який яка які із
   veya çünkü fakat ile ancak
   και των στην στο
   أو في إلى على التي الذي لأن ولكن عن مع الذين بين أن
   של או כי אשר و که از به در
   और या कि लेकिन क्योंकि के ने
   và hoặc những các nhưng karena tetapi untuk atau`.split(/\s+/),
);
/**
 * For longer texts only. Short ones may end like this («what to compare it with», «plan a», «davon habe ich einen», «dat weet ik niet, ik doe
 * het»), or with a word of another language that is spelled alike (Spanish `pelo`, Swedish `dem`, Polish `las`).
 */
const HARDLY_LAST_WORDS = new Set(
  `a of to with that which but than if or my
   eine einen einem einer une una uma een het de
   dem im les dans sont las los pero sino del dei mas para pelo ale ve ama aux al con`.split(/\s+/),
);
/** The same in one language, which its commonest words give away: others have some of these words («Wann fängt es an»). */
const HARDLY_LAST_IN: readonly (readonly [common: RegExp, last: ReadonlySet<string>])[] = (
  [
    ["the of to and", "an is are was were been has had we they he within who when such into by as may would could several"],
    ["der die und ist nicht", "den am als wie kein seine ihre diese dieser"],
    ["les est une et nous vous dans pour", "un le la du au par sur ce qui très se ses"],
    ["el los que una", "el la en por un su sus se muy"],
    ["il che una è", "il la i un per dal nel sul"],
    ["não uma são é que", "o os as um no na em por se ao"],
    ["się nie jest że który którym które przez dla", "w z na do"],
  ] as const
).map(([common, last]) => [
  new RegExp(`(?<!\\p{L})(?:${common.replaceAll(" ", "|")})(?!\\p{L})`, "iu"),
  new Set(last.split(" ")),
]);
/** «what it is», «as old as he», «it never was», «all you've been». */
const ENDS_IN_CLAUSE =
  /\b(?:it|he|she|they|you|we|there|this|that|these|those|what|who|which|where|how|than|as|so|and|do|does|did|is|are|was|never|always|still|really|once|already)(?:['’](?:ve|s|d|re|ll))? \w+$/;
/** Behind a comma, and behind a clause before it, a sentence goes on after these, too («…, as many believe, but»). */
const JOINTS = new Set(
  `but or so yet which who when while where if as then that since
   sondern denn wobei mais ou car donc où qui que pero sino y o ma mas pois maar want dus die dat
   ale bo gdy a а что где когда как`.split(/\s+/),
);
/** A subject right after its conjunction («because it»), an article after a verb or a preposition («unless you have a»), «from 1558 to». */
const UNFINISHED_ENDINGS = [
  /\b(?:because|whereas|although|unless) (?:it|he|she|we|they|you|I|there|this|these|those)$/,
  /\b(?:have|has|had|with|such|need|needs|use|using|create|make|for|as|in|by|at|on|into|like|without|through) an?$/,
  /\band then$/,
  /\b(?:whether|either) [^.]{1,50} or$/,
  /(?:\b(?:according|in order|in addition|in contrast|prior|thanks)|\bfrom [\w.,$€£%]{1,20}) to$/,
];
/** Conjunctions and opening marks of Chinese and Japanese. */
const UNFINISHED_CJK = /(?:以及|并且|而且|但是|因为|然后|接着|或者|[，、；][并而但且或及和与]|[、，；（「『を]|そして|および)$/u;
const CJK = /[、，；（「『\u3040-\u30ff\u4e00-\u9fff]/;
/** Connective endings, conjunctions and the object's particle; some nouns end in 을. */
const UNFINISHED_KOREAN = /(?:[하되이]며|지만|[하되]면|므로|[하되]여|되어|[^가마노고 ]을|를| 및| 또는| 그리고)$/;
const HANGUL = /[\uac00-\ud7a3]/;
/** `x =`, `a := b &&`. */
const OPERATOR = /\s(?:=|:=|==|!=|<=|>=|&&)$/;
const LEAST_WORDS = 5;
const LONG_CHARACTERS = 80;
const LEAST_CJK_CHARACTERS = 16;
const MOST_CLOSING_WORDS = 4;

/** `tail`: the last 400 characters of the text, `lastLine`: what stands behind its last line break. */
export function endsInUnfinishedWord(text: string, tail: string, lastLine: string): boolean {
  const last = tail.at(-1)!;
  if (CJK.test(last)) return text.length >= LEAST_CJK_CHARACTERS && UNFINISHED_CJK.test(tail.slice(-3));
  if (OPERATOR.test(tail.slice(-4))) return true;
  const words = lastWords(tail);
  if (words.length < LEAST_WORDS) return false;
  if (HANGUL.test(last)) return UNFINISHED_KOREAN.test(tail.slice(-8));
  const lastWord = words.at(-1)!;
  if (UNFINISHED_WORDS.has(lastWord)) return !isListed(words);
  if (JOINTS.has(lastWord) && /[^,.;:!?\s]\s+[^,.;:!?\s]+,\s\S+$/.test(tail.slice(-100))) return true;
  if (UNFINISHED_ENDINGS.some((ending) => ending.test(tail.slice(-60)))) return true;
  if (text.length < LONG_CHARACTERS) return false;
  if (HARDLY_LAST_WORDS.has(lastWord)) return !isListed(words);
  const isHardlyLast = HARDLY_LAST_IN.some(
    ([common, last]) => last.has(lastWord) && common.test(tail.slice(0, -lastWord.length)),
  );
  if (isHardlyLast) return !ENDS_IN_CLAUSE.test(tail.slice(-40));
  // A letter may end with "Kind regards," for the caller to sign.
  if (last === ",") return !(text.includes("\n") && lastLine.split(/\s+/).length <= MOST_CLOSING_WORDS);
  return "–—-".includes(last);
}

/** Those of the last 100 characters, unless they are too few to tell; the first of them may be a part of one. */
const lastWords = (tail: string): string[] => {
  const near = wordsIn(tail.slice(-100));
  return near.length > LEAST_WORDS ? near : wordsIn(tail);
};
const wordsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** `a, an, and, of`: a list of such words. */
const isListed = (words: readonly string[]): boolean => {
  const before = words.at(-2)!.replace(/,$/, "");
  return before !== words.at(-2) && (UNFINISHED_WORDS.has(before) || HARDLY_LAST_WORDS.has(before) || JOINTS.has(before));
};
