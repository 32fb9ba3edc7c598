/** What a vendor refuses, told by the words of its error. */

import type { Refusal } from "../upstream-error.ts";

/** The words of an error, and what is refused with them. */
export type RefusalWords = readonly [words: RegExp, param: string, once?: Refusal["once"]];

/** The first row whose words stand in the message. Vendors quote the request behind their own words. */
export const refusalByWords = (rows: readonly RefusalWords[], message: string): Refusal | undefined => {
  const text = message.slice(0, 500);
  const [, param, once] = rows.find(([words]) => words.test(text)) ?? [];
  return param === undefined ? undefined : { param, once };
};
