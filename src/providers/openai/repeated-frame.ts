/**
 * Most frames of a stream differ from the one before in nothing but their text. These need not be parsed: it is enough that what stands
 * before and behind the text is the same as in a frame that was.
 */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import { valueAt } from "../../lib/json-at.ts";
import { firstChoice } from "../dialect/first-choice.ts";

export type RepeatedFrame = {
  /** The frame up to its text and behind it, quotation marks included; empty until one was learned. */
  head: string;
  tail: string;
  /** How many were learned of which none came again: some vendors add random letters to each frame. */
  inVain: number;
};

const MOST_IN_VAIN = 3;
/** Frames with more around their text are parsed, rather than kept. */
const MOST_CHARACTERS = 2_000;
const OTHER_TEXT = "\u2026";

export const newRepeatedFrame = (): RepeatedFrame => ({ head: "", tail: "", inVain: 0 });

/** The text of a frame that says the same as the one learned, but for its text. Undefined for any other, which has to be parsed. */
export const repeatedText = (known: RepeatedFrame, frame: string): string | undefined => {
  const { head, tail } = known;
  const end = frame.length - tail.length;
  if (head === "" || end < head.length || !frame.startsWith(head) || !frame.endsWith(tail)) return undefined;
  // Between the quotation marks is the text alone, or this is no JSON.
  const text = jsonOf(frame.slice(head.length - 1, end + 1));
  if (text === undefined) return undefined;
  known.inVain = 0;
  return text as string;
};

/** Call it with a frame that told `text` as the content of its delta, and nothing else. */
export const learnFrame = (known: RepeatedFrame, frame: string, text: string): void => {
  if (known.inVain >= MOST_IN_VAIN) return;
  const quoted = JSON.stringify(text);
  const at = frame.indexOf(quoted);
  if (at < 0 || frame.length > quoted.length + MOST_CHARACTERS) return;
  known.inVain += 1;
  const head = copyOf(frame.slice(0, at + 1));
  const tail = copyOf(frame.slice(at + quoted.length - 1));
  // The same letters may stand elsewhere in the frame.
  if (contentOf(head + OTHER_TEXT + tail) === OTHER_TEXT) Object.assign(known, { head, tail });
};

/** A part of a text would keep all of it in memory. */
const copyOf = (part: string): string => Buffer.from(part).toString();

const contentOf = (frame: string): unknown => {
  const delta = firstChoice(valueAt(jsonOf(frame), "choices"))?.["delta"];
  return isRecord(delta) ? delta["content"] : undefined;
};
