/** The JSON that an answer consists of or has in a code fence, as the model wrote it, without any repair. */

import { isJson } from "../../lib/is-json.ts";
import { extractPassages } from "./extract-json.ts";

/** Undefined if no passage is valid JSON. In a fence only an object or a list counts. */
export const unwrapJson = (answer: string): string | undefined => {
  if (isJson(answer)) return answer;
  return extractPassages(answer).find(({ kind, text }) => kind !== "embedded" && /^\s*[{[]/.test(text) && isJson(text))?.text;
};
