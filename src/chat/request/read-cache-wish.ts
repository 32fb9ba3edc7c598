/** Reads Anthropic's `cache_control`, which clients of other APIs set too. */

import type { Cacheable, CacheLife, CacheWish } from "../../providers/provider.ts";

type Marked = {
  system?: string | readonly object[] | null;
  tools?: readonly object[] | null | undefined;
  cache_control?: object | null | undefined;
  messages: readonly { content?: string | readonly object[] | null }[];
};

/** Undefined without a mark. The mark of the body is for the whole prompt. */
export const readCacheWish = (body: Marked): CacheWish | undefined => {
  const whole = lifeOf(body);
  const lists = [body.system, body.tools, ...body.messages.map(({ content }) => content)];
  const longest = longestOf([whole, ...lists.map(longestIn)]);
  return longest && { longest, ...(whole && { whole }) };
};

/** The mark of one part or tool. */
export const readCacheMark = (part: object): Cacheable => {
  const cached = lifeOf(part);
  return cached === undefined ? {} : { cached };
};

/** A mark anywhere in a list counts for all of it. */
export const readCacheMarks = (parts: string | readonly object[] | null | undefined): Cacheable => {
  const cached = longestIn(parts);
  return cached === undefined ? {} : { cached };
};

const lifeOf = (part: object): CacheLife | undefined => {
  const mark = "cache_control" in part ? part.cache_control : null;
  if (typeof mark !== "object" || mark === null) return undefined;
  return "ttl" in mark && mark.ttl === "1h" ? "1h" : "5m";
};

const longestIn = (parts: string | readonly object[] | null | undefined): CacheLife | undefined =>
  typeof parts === "object" && parts !== null ? longestOf(parts.map(lifeOf)) : undefined;

const longestOf = (lives: readonly (CacheLife | undefined)[]): CacheLife | undefined =>
  lives.includes("1h") ? "1h" : lives.find((life) => life !== undefined);
