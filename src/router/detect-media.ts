/** Whether an instruction asks for a picture, a clip or spoken audio to be made (spec §2 rule 6). A wrong trigger costs money. */
import { MEDIA_INTENTS, type MediaIntent } from "../catalog/task-type.ts";
import { type Calibration, indexOfMost, softmax } from "../encoder/heads.ts";

type MediaVerdict = { media: MediaIntent; confidence: number };

/** Words that make such a wish one about text, code or a file that exists already. */
const VETO =
  /\b(?:code|script|function|html|svg|css|python|javascript|matplotlib|ascii|prompts?|captions?|alt text|transcri\w+|attached|uploaded|example\.(?!com|org|net)\w{3})\b/;
/** Openings that ask for words, however near to media they come: «say hello», «describe an image», «show me how to film». */
const ASKS_FOR_WORDS =
  /^\W*(?:please\s+)?(?:say|speak\s+(?:to|with|about)|describe|explain|outline|(?:show|tell|teach)\s+me\s+how|how\s+(?:do|does|did|can|could|would|should|to|is|are))\b/;
/** What wishes for nothing: a letter, a lone noun, «it's a picture», «picture this: two shops», «no image please». */
const NO_WISH = [
  /^[^\p{L}]*(?:\p{Script=Latin}{1,2}[^\p{L}]*)?$/u,
  /^\W*(?:(?:an?|the|my|eine?|une?|una?|el|la|le|il|o|uma?|een)\s)?\p{Script=Latin}+\W*$/u,
  /^\W*(?:it|this|that)(?:['’]s|\s(?:is|was))(?:\s(?:an?|the|my))?\s\p{L}+\W*$/u,
  /^\W*picture\s(?:this|that)\b|\b(?:clear(?:er)?|full(?:er)?|rough|better)\spicture\sof\s(?:what|how|why|where|who|whether)\b/u,
  /^\W*(?:please,?\s)?no\s(?:images?|pictures?|drawings?|photos?|videos?|clips?|audio|speech)\b/u,
];
const NAMES_SOUND = /\b(?:aloud|out loud|audio|voice|speech|spoken|mp3|wav|recording)\b/;
/** A generating intent must be this much more likely than not where such a word stands in the instruction. */
const DESPITE_VETO = 0.97;

/** `logits` in the order of MEDIA_INTENTS. */
export function decideMedia(logits: Float64Array, calibration: Calibration, instruction: string): MediaVerdict {
  const cautious = logits.map((logit, i) => (i === 0 ? logit + calibration.mediaCaution : logit));
  const chances = softmax(cautious, calibration.mediaTemperature);
  const best = indexOfMost(chances);
  const confidence = chances[best]!;
  const media = MEDIA_INTENTS[best]!;
  if (media === "none") return { media, confidence };
  const asked = instruction.toLowerCase();
  if (NO_WISH.some((pattern) => pattern.test(asked.slice(0, 400)))) return { media: "none", confidence: 1 - confidence };
  const isWish = confidence >= DESPITE_VETO || !VETO.test(withoutAddresses(asked));
  const isWords = ASKS_FOR_WORDS.test(asked) && !(media === "speech" && NAMES_SOUND.test(asked));
  return isWish && !isWords ? { media, confidence } : { media: "none", confidence: 1 - confidence };
}

/** What stands in an e-mail address (`code@…`, `…@python.org`) says nothing of the wish. */
const withoutAddresses = (text: string): string =>
  text.includes("@")
    ? text
        .split(/\s/)
        .filter((word) => !word.includes("@"))
        .join(" ")
    : text;
