/** Anthropic caches a prompt up to each block that has a mark. The caller's marks keep their places. */

import { recordAt, recordsAt } from "../../lib/json-at.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import type { Cacheable, CacheLife } from "../provider.ts";

export const cacheControl = (life: CacheLife): WireBody => ({ type: "ephemeral", ...(life === "1h" && { ttl: life }) });

export const withMark = (block: WireBody, { cached }: Cacheable): WireBody =>
  cached === undefined ? block : { ...block, cache_control: cacheControl(cached) };

/** Anthropic refuses a request with more. */
const MOST_MARKS = 4;

/**
 * Adds the mark for the whole prompt, behind the last user turn, since the next request begins with it. Of too many marks the last count. A
 * mark lasts as long as any behind it, because Anthropic refuses the opposite.
 */
export const markCache = (body: WireBody, whole: CacheLife | undefined): void => {
  const turns = recordsAt(body, "messages");
  const last = recordsAt(
    turns.findLast(({ role }) => role === "user"),
    "content",
  ).at(-1);
  if (whole !== undefined && last !== undefined) last["cache_control"] = cacheControl(whole);
  const blocks = [
    ...recordsAt(body, "tools"),
    ...recordsAt(body, "system"),
    ...turns.flatMap((turn) => recordsAt(turn, "content")),
  ];
  const marked = blocks.filter((block) => "cache_control" in block).reverse();
  const lastHour = marked.findIndex((block) => recordAt(block, "cache_control")["ttl"] === "1h");
  for (const [place, block] of marked.entries()) {
    if (place >= MOST_MARKS) delete block["cache_control"];
    else if (lastHour !== -1 && place > lastHour) block["cache_control"] = cacheControl("1h");
  }
};
