/** Merges one config over another: objects member by member, lists and values replace, `null` removes (JSON merge patch, RFC 7396). */

import { isRecord } from "../lib/is-record.ts";

export const mergeConfig = (base: object, over: object): object => {
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [option, value] of Object.entries(over)) {
    const known = merged.get(option);
    if (value === null) merged.delete(option);
    else merged.set(option, isRecord(value) ? mergeConfig(isRecord(known) ? known : {}, value) : value);
  }
  return Object.fromEntries(merged);
};
