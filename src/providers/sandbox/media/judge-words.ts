/** The sandbox's moderation: a category is flagged by a word of this list, and by nothing else. Pictures are not looked at. */

import type { ModerationVerdict } from "../../media-calls.ts";

/** OpenAI's categories. Those without words are never flagged. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  harassment: ["idiot", "moron", "loser"],
  "harassment/threatening": [],
  hate: ["subhuman", "vermin"],
  "hate/threatening": [],
  illicit: ["cocaine", "counterfeit"],
  "illicit/violent": ["bomb"],
  "self-harm": ["suicide"],
  "self-harm/intent": [],
  "self-harm/instructions": [],
  sexual: ["porn", "nude"],
  "sexual/minors": [],
  violence: ["kill", "murder", "stab"],
  "violence/graphic": ["gore"],
};
/** Those that OpenAI's model looks for in pictures, too. */
const IN_PICTURES = ["self-harm", "self-harm/intent", "self-harm/instructions", "sexual", "violence", "violence/graphic"];

const ANY_WORD = new RegExp(`(?<!\\p{L})(?:${Object.values(WORDS).flat().join("|")})(?!\\p{L})`, "giu");

const FLAGGED = 0.99;
const NOT_FLAGGED = 0.0001;

export const judgeWords = (text: string, types: readonly ("text" | "image")[]): ModerationVerdict => {
  const said = new Set(text.match(ANY_WORD)?.map((word) => word.toLowerCase()));
  const each = <T>(of: (words: readonly string[], name: string) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, of(words, name)]));
  const categories = each((words) => words.some((word) => said.has(word)));
  return {
    flagged: Object.values(categories).includes(true),
    categories,
    scores: each((_, name) => (categories[name] ? FLAGGED : NOT_FLAGGED)),
    types: each((_, name) => types.filter((type) => type === "text" || IN_PICTURES.includes(name))),
  };
};
