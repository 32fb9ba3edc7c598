/** What a vendor refuses, told by the words of its error. */

import type { Refusal } from "../upstream-error.ts";

/** The words of an error, and what is refused with them. A group among the words is the bound that was exceeded, and follows `param`. */
export type RefusalWords<Param extends string = string> = readonly [words: RegExp, param: Param, once?: Refusal["once"]];

/** The first row whose words stand in the message, of which so much is read: vendors quote the request behind their own words. */
export const refusalByWords = (rows: readonly RefusalWords[], message: string, characters = 500): Refusal | undefined => {
  const text = message.slice(0, characters);
  for (const [words, param, once] of rows) {
    const [said, bound] = words.exec(text) ?? [];
    if (said !== undefined) return { param: bound === undefined ? param : `${param}.${bound}`, once };
  }
  return undefined;
};
