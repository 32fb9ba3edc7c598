/**
 * The last message of a conversation, read as if it came first. The words of the turn before say what «shorter» is about, but they would
 * also outweigh a new wish: «Translate this: …», then «Who signed it?».
 */
import type { Encoder } from "../../encoder/encoder.ts";
import { asksForMore } from "./ask-for-more.ts";
import { findInstruction } from "./find-instruction.ts";
import { SURELY_ASKS } from "./request-features.ts";
import type { RequestTexts } from "./request-texts.ts";

const READ_CHARACTERS = 300;
/** A message that brings a text of so many characters is about that one, and not about an earlier one. */
const OWN_TEXT_CHARACTERS = 100;

/** The message and, below it, the text that was last given; undefined if the message cannot be understood without the turn before. */
export function lastTurnAlone(encoder: Encoder, { text, before, giving, ...system }: RequestTexts): RequestTexts | undefined {
  if (before === undefined || asksForMore(text)) return undefined;
  const asked = findInstruction(encoder, text, READ_CHARACTERS);
  if (asked.score < SURELY_ASKS) return undefined;
  if (asked.documentTo - asked.documentFrom >= OWN_TEXT_CHARACTERS) return { text, ...system };
  const source = giving ?? before;
  const { documentFrom, documentTo } = findInstruction(encoder, source, READ_CHARACTERS);
  const given = source.slice(documentFrom, documentTo).trim();
  return { text: given === "" ? text : `${text}\n\n${given}`, ...system };
}
