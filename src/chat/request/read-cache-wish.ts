/** Reads Anthropic's `cache_control`, which clients of other APIs set too, and OpenAI's `prompt_cache_breakpoint`. */

import { isRecord } from "../../lib/is-record.ts";
import type { Cacheable, CacheLife, CacheWish } from "../../providers/provider.ts";

type Marked = {
  system?: string | readonly object[] | null;
  tools?: readonly object[] | null | undefined;
  cache_control?: object | null | undefined;
  messages: readonly { content?: string | readonly object[] | null; tool_calls?: readonly object[] | null }[];
};

/** Undefined without a mark. The mark of the body is for the whole prompt. */
export const readCacheWish = (body: Marked): CacheWish | undefined => {
  const whole = lifeOf(body);
  const lists = [body.system, body.tools, body.messages, ...body.messages.map((message) => message.tool_calls)];
  const longest = longestOf([whole, ...lists.map(longestIn)]);
  return longest && { longest, ...(whole && { whole }) };
};

const asCacheable = (cached: CacheLife | undefined): Cacheable => (cached === undefined ? {} : { cached });

/** The mark of one part or tool. */
export const readCacheMark = (part: object): Cacheable => asCacheable(lifeOf(part));

/** A mark anywhere in a list counts for all of it. */
export const readCacheMarks = (parts: string | readonly object[] | null | undefined): Cacheable => asCacheable(longestIn(parts));

/** The mark of a message beside its content. */
export const readMessageMark = (message: object): Cacheable => asCacheable(ownLife(message));

const ownLife = (part: object): CacheLife | undefined => {
  const { cache_control, prompt_cache_breakpoint } = part as Record<string, unknown>;
  const mark = cache_control ?? prompt_cache_breakpoint;
  if (!isRecord(mark)) return undefined;
  return mark["ttl"] === "1h" || mark["ttl"] === "12h" ? "1h" : "5m";
};

/** The marks within a block, such as a tool's result, count as the block's. */
const lifeOf = (part: unknown): CacheLife | undefined =>
  isRecord(part) ? (ownLife(part) ?? longestIn(part["content"])) : undefined;

const longestIn = (parts: unknown): CacheLife | undefined => (Array.isArray(parts) ? longestOf(parts.map(lifeOf)) : undefined);

const longestOf = (lives: readonly (CacheLife | undefined)[]): CacheLife | undefined =>
  lives.includes("1h") ? "1h" : lives.find((life) => life !== undefined);
