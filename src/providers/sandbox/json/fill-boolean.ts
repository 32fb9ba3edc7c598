/** A boolean for a field, by what the text says of its key. */

import { type Facts, wordsOfKey } from "../text/read-facts.ts";

/** Keys of verdicts, which are favourable unless the text says otherwise. */
const AFFIRMATIVE = new Set("passed pass ok valid success satisfied meets correct fulfilled acceptable".split(" "));

/** True unless the text denies the key (`not urgent`, `urgent: no`) or does not mention it. */
export function booleanFor(key: string, facts: Facts | undefined): boolean {
  if (!facts) return true;
  const said = facts.said(key)?.toLowerCase();
  if (said !== undefined) return !/^(?:no|false|not|none|off|0)\b/.test(said);
  if (wordsOfKey(key).some((part) => AFFIRMATIVE.has(part))) return true;
  const word = wordsOfKey(key).find((part) => !["is", "has", "was", "can", "should"].includes(part)) ?? "";
  const text = facts.text.toLowerCase();
  const at = text.indexOf(word);
  return at !== -1 && !/(?:\bnot|n't|\bno|\bnever|\bwithout)\s{1,3}(?:an?\s)?$/.test(text.slice(Math.max(0, at - 14), at));
}
