/**
 * A request of several messages, retold as one. The words of the turn before say what «shorter» is about, but they would also outweigh a new
 * wish: «Translate this: …», then «Who signed it?». And what a system prompt wants done with any text is clearer right above the text.
 */
import type { Encoder } from "../../encoder/encoder.ts";
import { asksForMore } from "./ask-for-more.ts";
import { findInstruction } from "./find-instruction.ts";
import { SURELY_ASKS } from "./request-features.ts";
import type { RequestTexts } from "./request-texts.ts";

const READ_CHARACTERS = 300;
/** A message that brings a text of so many characters is about that one, and not about an earlier one. */
const OWN_TEXT_CHARACTERS = 100;

/** Undefined for a single message, and if the last one can neither be understood by itself nor by the system prompt. */
export function toldAsOne(encoder: Encoder, texts: RequestTexts): RequestTexts | undefined {
  const { text, before, system } = texts;
  if ((before === undefined && system === undefined) || asksForMore(text)) return undefined;
  const asked = findInstruction(encoder, text, READ_CHARACTERS);
  if (asked.score < SURELY_ASKS) return system === undefined ? undefined : belowWish(encoder, text, system);
  if (before === undefined) return undefined;
  const bringsText = asked.documentTo - asked.documentFrom >= OWN_TEXT_CHARACTERS;
  return { text: bringsText ? text : aboveGiven(encoder, text, texts.giving ?? before), ...(system && { system }) };
}

/** A text that asks for nothing, below what the system prompt wants done with it. */
const belowWish = (encoder: Encoder, text: string, system: string): RequestTexts | undefined => {
  const wish = findInstruction(encoder, system, READ_CHARACTERS);
  return wish.score < SURELY_ASKS ? undefined : { text: `${wish.text}\n\n${text}` };
};

/** The message, above the text that an earlier one gave. */
const aboveGiven = (encoder: Encoder, text: string, earlier: string): string => {
  const { documentFrom, documentTo } = findInstruction(encoder, earlier, READ_CHARACTERS);
  const given = earlier.slice(documentFrom, documentTo).trim();
  return given === "" ? text : `${text}\n\n${given}`;
};
