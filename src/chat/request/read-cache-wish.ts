/** Reads Anthropic's `cache_control`, which clients of other APIs set too. */

import type { CacheWish } from "../../providers/provider.ts";

type Marked = {
  system?: string | readonly object[] | null;
  tools?: readonly object[] | null | undefined;
  cache_control?: object | null | undefined;
  messages: readonly { role: string; content?: string | readonly object[] | null }[];
};

/**
 * Undefined without a mark. The marks' positions are not kept, since whoever sets one sends the same beginning again, and the provider
 * finds the longest match. The longer lifetime has to come first (Anthropic refuses the other order), so a turn's lifetime extends to the
 * text before it.
 */
export const readCacheWish = (body: Marked): CacheWish | undefined => {
  const whole = lifeOf(body);
  const system = body.messages.filter(isSystem);
  const turns = longest([whole, ...body.messages.filter((message) => !isSystem(message)).map(lifeIn)]);
  const top = longest([turns, lifeOfAny(body.system), lifeOfAny(body.tools), ...system.map(lifeIn)]);
  return top && { top, turns: turns ?? "5m" };
};

type Life = CacheWish["top"];

const isSystem = ({ role }: Marked["messages"][number]): boolean => role === "system" || role === "developer";

const lifeOf = (part: object): Life | undefined => {
  const mark = "cache_control" in part ? part.cache_control : null;
  if (typeof mark !== "object" || mark === null) return undefined;
  return "ttl" in mark && mark.ttl === "1h" ? "1h" : "5m";
};

const lifeOfAny = (parts: string | readonly object[] | null | undefined): Life | undefined =>
  typeof parts === "object" && parts !== null ? longest(parts.map(lifeOf)) : undefined;

const lifeIn = ({ content }: Marked["messages"][number]): Life | undefined => lifeOfAny(content);

const longest = (lives: readonly (Life | undefined)[]): Life | undefined =>
  lives.includes("1h") ? "1h" : lives.find((life) => life !== undefined);
