/** Reads the system prompt of Anthropic's callers, and the line in front of it that is no prompt. */

import { readCacheMark, readCacheMarks } from "../../chat/request/read-cache-wish.ts";
import type { ContentPart } from "../../providers/provider.ts";
import type { CountBody } from "./wire.ts";

type System = CountBody["system"];
type Block = Exclude<NonNullable<System>, string>[number];

/**
 * Claude Code's first line, which is for Anthropic only. It differs in each request, so no other vendor's cache would know the prompt.
 * A line of another shape is prompt: nobody reviews this one.
 */
const ATTRIBUTION = /^x-anthropic-billing-header:(?: ?[\w-]{1,24}=[\w.-]{0,40};){1,6} ?(?:\n+|$)/;

const blocksOf = (system: System): Block[] => (typeof system === "string" ? [{ type: "text", text: system }] : (system ?? []));

export const attributionOf = (system: System): string => ATTRIBUTION.exec(blocksOf(system)[0]?.text ?? "")?.[0].trimEnd() ?? "";

/** Empty if there is none. Separate parts only where a mark for the cache stands between them. */
export const readSystem = (system: System): string | ContentPart[] => {
  const blocks = blocksOf(system)
    .map((block, at) => (at === 0 ? { ...block, text: block.text.replace(ATTRIBUTION, "") } : block))
    .filter(({ text }) => text !== "");
  return readCacheMarks(blocks).cached === undefined
    ? blocks.map(({ text }) => text).join("\n\n")
    : blocks.map((block) => ({ type: "text", text: block.text, ...readCacheMark(block) }));
};
