/**
 * Reviews the text of a streamed answer. If it begins with JSON, requested or not, that value is held back until it is complete, so that
 * each value is read with its key and redaction leaves it valid, as in whole answers. The rest is streamed, but for what follows a long
 * value: that is reviewed at the end, where others can be served meanwhile.
 */

import { mergeEvaluations } from "./content-evaluation.ts";
import type { ContentRules } from "./content-rules.ts";
import { isBlocked, type Review } from "./review-content.ts";
import { reviewInSteps, reviewJsonText } from "./review-json.ts";
import { createStreamReview, STEP_CHARACTERS, type StreamReview } from "./review-stream.ts";

type AnswerReview = Omit<StreamReview, "end"> & { end(): Promise<string> };

export const createAnswerReview = (rules: ContentRules): AnswerReview => {
  const flow = createStreamReview(rules);
  let opening: Opening | undefined = createOpening();
  let value: Review | undefined;
  const blocked = (): boolean => (value !== undefined && isBlocked(value)) || flow.blocked();
  /** What has been held: the value as it was reviewed, if there is one, and the rest as text. */
  const release = (reviewed: Review | undefined, rest: string): string => {
    opening = undefined;
    value = reviewed;
    return blocked() ? "" : (value?.text ?? "") + flow.push(rest);
  };
  return {
    push: (delta) => {
      if (opening === undefined) return blocked() ? "" : flow.push(delta);
      const end = opening.push(delta);
      if (end === undefined || end > STEP_CHARACTERS) return "";
      const text = opening.held();
      return release(end === 0 ? undefined : reviewJsonText(rules, text.slice(0, end)), text.slice(end));
    },
    end: async () => {
      const text = opening?.held() ?? "";
      const end = opening?.push("") ?? text.length;
      const released = text === "" ? "" : release(await reviewInSteps(rules, text.slice(0, end), true), text.slice(end));
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
  let valueLength: number | undefined;
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
      for (let at = 0; at < delta.length && valueLength === undefined; at++) {
        const value = read(delta[at]!);
        if (value !== "goes on") valueLength = value === "ends" ? before + at + 1 : 0;
      }
      return valueLength ?? (length > LONGEST_VALUE ? 0 : undefined);
    },
    held: () => pieces.join(""),
  };
};
