/** Whether an answer refuses instead of answering: one of the output checks of spec §2 rule 3. */

import { applyHead, sigmoid } from "../encoder/apply-head.ts";
import type { Encoder } from "../encoder/encoder.ts";
import { isContainer } from "../lib/is-record.ts";
import { readAnswer } from "./features/answer-features.ts";
import { mayDecline, upToDeclining } from "./features/declining.ts";

/** From this score on, an answer refuses. */
export const REFUSAL_FROM = 0.5;

export const detectRefusal = (encoder: Encoder, response: string, prompt?: string): boolean =>
  refusalScore(encoder, response, prompt) >= REFUSAL_FROM;

/**
 * The calibrated probability that the answer refuses. An empty answer does not refuse, and neither does a single word: it cannot be told
 * from a value (a name, a label, `non`). A short answer that stands in the prompt is quoted.
 */
export function refusalScore(encoder: Encoder, response: string, prompt?: string): number {
  if (response.trim() === "" || LONE_WORD.test(response)) return 0;
  if (prompt !== undefined && isGivenToSay(prompt) && !NAMES_THE_ACT.test(response)) return 0;
  if (response.length <= LONGEST_PLAIN) {
    const answer = response.trim();
    if (prompt?.includes(answer.replace(/[.!]$/, ""))) return 0;
    if (isPlain(answer.replaceAll("’", "'"), prompt)) return 1;
  }
  const sentences = sentencesOfJson(response)?.filter((sentence, i) => i >= MAX_LOOKED_UP || !prompt?.includes(sentence));
  if (sentences?.length === 0) return 0;
  return scoreText(encoder, sentences?.join("\n") ?? response, prompt);
}

/**
 * «I can't help with malware. What I can do instead: …». Whoever declines may offer so much else that the whole looks like an answer, so the
 * sentence that declines is also read alone.
 */
function scoreText(encoder: Encoder, response: string, prompt: string | undefined): number {
  const whole = scoreAlone(encoder, response, prompt);
  const declining = whole >= REFUSAL_FROM ? undefined : upToDeclining(response);
  const alone = declining === undefined ? 0 : scoreAlone(encoder, declining, prompt);
  return alone >= REFUSAL_FROM ? alone : whole;
}

function scoreAlone(encoder: Encoder, response: string, prompt: string | undefined): number {
  const { refusal, calibration } = encoder.heads;
  const [logit] = applyHead(refusal, readAnswer(encoder, response, prompt));
  return sigmoid(logit! * calibration.refusal.slope + calibration.refusal.intercept);
}

/** «Translate: I can't log in»: the answer declines only because the given text does. */
const isGivenToSay = (prompt: string): boolean =>
  prompt.length <= LONGEST_GIVEN && OTHER_WORDS.test(prompt) && (SAYS_NO.test(prompt) || mayDecline(prompt.toLowerCase()));
const LONGEST_GIVEN = 2000;
const OTHER_WORDS =
  /^.{0,40}?(?:(?<!\p{L})(?:translate|rephrase|paraphrase|reword|rewrite|proofread|(?:fix|correct|check)\s.{0,20}(?:grammar|spelling|english)|make\s.{0,20}(?:more|less)\s(?:formal|polite|friendly|casual)|übersetz\p{L}*|traduc\p{L}*|tradui\p{L}*|traduz\p{L}*|vertaal|översätt|oversett?|oversæt|przetłumacz|přelož|fordítsd|kääntä|käännä|çevir|dịch|terjemahkan)|перевед|翻[译譯訳]|번역|ترجم|תרגם|अनुवाद)/isu;
/** A text to be put in other words, in which somebody may say that they have no access, in whatever language. */
const GIVES_TEXT = new RegExp(`${OTHER_WORDS.source}.*[:\\n"“«]`, OTHER_WORDS.flags);
const NAMES_THE_ACT = /translat|rephras|paraphras|rewrit|reword|\bas an ai\b|guidelines/i;
/** In the first person or without a subject: «you can't hide» in a threat does not explain why the answer declines. */
const SAYS_NO =
  /(?:\b(?:i|we)\b[^.!?\n]{0,30}?\b|(?:^|[^\s\p{L}])\s*)(?:ca ?n['’]?t|can ?not|won['’]?t)\b|\b(?:unable|not able|refuse|declin|sorry|regret|unfortunately)/iu;

/** Not in scripts without spaces, where a whole sentence would look like a single word. */
const LONE_WORD =
  /^\s*[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+\s*$/u;

/**
 * An answer that says only «I can't answer that». Each of its words is common in other answers too, so the model's head misses it; their
 * order decides: the speaker, what they will not do, and at most a «this» or «that» as the object.
 */
const PLAIN = new RegExp(
  "^(?:as an? (?:[\\w-]+ ){0,3}(?:ai|model|assistant|chatbot|bot),? )?" +
    "(?:(?:(?:i'm|i am|we're|we are) )?(?:(?:very|so|really) )?(?:sorry|afraid|unfortunately|regrettably|no|nope|my apologies),?(?: but)? )?" +
    "(?:it's not possible for me to|unable to(?= (?:comply|assist|help))|(?:i|we|(?:the|this) (?:assistant|chatbot|ai)) ?(?:can't|can ?not|won't|will not|" +
    "(?:'m|am|'re|are|is) (?:unable|not (?:able|allowed|willing|permitted|going)) to|" +
    "(?:'d|would) rather not|(?:must |have to )?(?:refuse|decline) to)) (?!help it)" +
    "(?:(?:answer|help|assist|comply|respond|reply|engage|continue|comment)(?: you)?(?: (?:with|to|in|on|any further))*|" +
    "(?:discuss|talk about|speak about|share|provide|offer|give you|do|write|create|generate|produce|support|go into|fulfill?)(?= ))" +
    "(?: (?:that|this|it|these|those|such)(?: (?:kind|sort|type) of)?| your| the)?(?: (?:questions?|requests?|one|topic|subject|content|information|thing))?" +
    "(?: for you| here| at all)?(?:,? sorry)?[.!]?$|" +
    "^(?:(?:(?:i'm|i am) )?(?:sorry|unfortunately|my apologies),?(?: but)? )?i ?(?:(?:must |have to )?(?:refuse|decline)|" +
    "(?:(?:'m|am) not (?:allowed|permitted|at liberty) to|(?:'d|would) rather not) (?:say|tell(?: you)?)(?: (?:that|this|it))?)[.!]?$",
  "i",
);
/** The same in German, where the verb stands at the end, and in French. */
const PLAIN_ELSEWHERE = new RegExp(
  "^(?:(?:(?:es )?tut mir leid|leider|entschuldigung|verzeihung|sorry|nein),?(?: aber)? )?(?:" +
    "(?:das|dies|so (?:et)?was|dabei|damit|dazu|darauf|darüber|dies(?:e|er) (?:frage|anfrage|bitte)) (?:kann|darf|werde|möchte|will|mag) ich " +
    "(?:(?:ihnen|euch|dir|hier|leider) )*(?:nicht|keine (?:antwort|auskunft|angaben|hilfe))" +
    "(?: (?:tun|machen|sagen|beantworten|(?:weiter)?helfen|geben|schreiben|erstellen|liefern|erfüllen|nachkommen|entsprechen|unterstützen|antworten|sprechen))?|" +
    "(?:das|dies|so (?:et)?was) mache ich nicht|(?:dazu|hierzu) bin ich nicht (?:in der lage|befugt|berechtigt))[.!]?$|" +
    "^(?:(?:je suis )?désolée?,?(?: mais)? )?(?:je ne (?:peux|puis|veux|souhaite) pas (?:vous|t'|te )\\s?aider(?: (?:avec|sur) (?:ça|cela))?|" +
    "(?:cela|ça|ce) (?:ne |n')m'est pas (?:possible|permis|autorisé))[.!]?$",
  "i",
);
/** «I don't have access to your calendar», «I can't open attachments», «I can't place orders for you», and nothing else. */
const LIMIT = new RegExp(
  "^(?:(?:(?:i'm|i am) )?(?:sorry|afraid|unfortunately),?(?: but)? )?" +
    "(?:(?:as|i'm|i am) (?:just |only )?an? (?:[\\w-]+ ){0,3}(?:ai|model|assistant|chatbot|bot),? (?:(?:and|so) (?:i )?|i )|i )(?:currently )?(?:" +
    "(?:(?:don't|do not) have (?:any )?(?:direct )?|have no (?:direct )?)(?:access|(?:the |an )?(?:ability|capability)) (?:to|of) [^.!?;,\\n]{2,60}|" +
    "(?:can't|can ?not|(?:'m|am) (?:unable|not able) to) (?:" +
    "(?:open|access|browse|fetch|download|view|play|listen to) (?:[\\w'-]+ ){0,3}" +
    "(?:links?|urls?|web|internet|(?:web ?)?(?:sites?|pages?)|files?|attachments?|images?|pictures?|photos?|videos?|audio|recordings?|documents?|pdfs?)" +
    "(?: [^.!?;,\\n]{2,40})?|(?!(?:wait|live|stop|thank|be|feel) )[^.!?;,\\n]{2,50} (?:for you|on your behalf)))[.!]?$",
  "i",
);
const LONGEST_PLAIN = 120;
const isPlain = (answer: string, prompt = ""): boolean =>
  PLAIN.test(answer) || PLAIN_ELSEWHERE.test(answer) || (LIMIT.test(answer) && !GIVES_TEXT.test(prompt.slice(0, LONGEST_GIVEN)));

/** A string of fewer words is a value, not a sentence that could refuse. */
const SENTENCE = /\S+\s+\S+\s+\S+\s+\S/;
const LONGEST_JSON = 20_000;
/** This many sentences are looked up in the prompt; answers with more are not refusals. */
const MAX_LOOKED_UP = 20;

/** The sentences of a JSON answer that could refuse: its own, not those it quotes. Undefined if the answer is not JSON. */
const sentencesOfJson = (response: string): string[] | undefined => {
  const text = response.trim();
  if ((text[0] !== "{" && text[0] !== "[") || text.length > LONGEST_JSON) return undefined;
  try {
    return sentencesIn(JSON.parse(text));
  } catch {
    return undefined;
  }
};

const sentencesIn = (value: unknown): string[] => {
  if (typeof value === "string") return SENTENCE.test(value.slice(0, 400)) ? [value] : [];
  if (!isContainer(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (QUOTES.test(key) ? [] : sentencesIn(inner)));
};
/** Keys of texts that somebody else wrote. */
const QUOTES =
  /^(?:.*[_ -])?(?:quotes?|quotation|excerpts?|evidence|snippets?|spans?|original|input|utterances?|verbatim|zitate?|cita|citation)$/i;
