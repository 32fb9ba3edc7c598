/**
 * Reviews the text of a streamed answer. If it begins with JSON, requested or not, that value is held back until it is complete, so that
 * each value is read with its key and redaction leaves it valid, as in whole answers. The rest is streamed.
 */

import { mergeEvaluations } from "./content-evaluation.ts";
import type { ContentRules } from "./content-rules.ts";
import type { Review } from "./review-content.ts";
import { reviewJsonText } from "./review-json.ts";
import { createStreamReview, type StreamReview } from "./review-stream.ts";

export const createAnswerReview = (rules: ContentRules): StreamReview => {
  const flow = createStreamReview(rules);
  let opening: Opening | undefined = createOpening();
  let value: Review | undefined;
  const blocked = (): boolean => value?.blocked === true || flow.blocked();
  /** Reviews the text before `end` as JSON, and the rest as text. */
  const release = (text: string, end: number): string => {
    opening = undefined;
    if (end > 0) value = reviewJsonText(rules, text.slice(0, end));
    return blocked() ? "" : (value?.text ?? "") + flow.push(text.slice(end));
  };
  return {
    push: (delta) => {
      if (opening === undefined) return blocked() ? "" : flow.push(delta);
      const end = opening.push(delta);
      return end === undefined ? "" : release(opening.held(), end);
    },
    end: () => {
      const text = opening?.held() ?? "";
      const released = text === "" ? "" : release(text, text.length);
      return blocked() ? "" : released + flow.end();
    },
    blocked,
    evaluation: () => (value === undefined ? flow.evaluation() : mergeEvaluations(value.evaluation, flow.evaluation())),
  };
};

type Opening = {
  /** Undefined while the text may still be one JSON value; else the value's length, 0 if there is none. */
  push(delta: string): number | undefined;
  held(): string;
};

/** No honest JSON value is longer; beyond it the text is streamed. */
const LONGEST_VALUE = 1_000_000;
/** Characters of JSON outside strings and brackets: blanks, numbers, `true`, `false`, `null`. */
const BARE = /[\s:,0-9.+\-eEtrufalsn]/;

const createOpening = (): Opening => {
  const pieces: string[] = [];
  let length = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  const read = (character: string): "goes on" | "ends" | "is no JSON" => {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === "\\") isEscaped = true;
      else isInString = character !== '"';
      return "goes on";
    }
    if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    else if (character === '"') isInString = true;
    else if (!BARE.test(character)) return "is no JSON";
    else if (character.trim() === "") return "goes on";
    if (depth > 0) return "goes on";
    return (character === "}" || character === "]") && depth === 0 ? "ends" : "is no JSON";
  };
  return {
    push: (delta) => {
      pieces.push(delta);
      const before = length;
      length += delta.length;
      for (let at = 0; at < delta.length; at++) {
        const value = read(delta[at]!);
        if (value !== "goes on") return value === "ends" ? before + at + 1 : 0;
      }
      return length > LONGEST_VALUE ? 0 : undefined;
    },
    held: () => pieces.join(""),
  };
};
