/**
 * A stream's parts as content blocks one after the other, as Anthropic's clients need them: the pieces of calls made in parallel
 * may come in turns, and a block that was closed takes no more of them. What cannot be shown yet waits.
 */

import type { StreamPart } from "../chat/response/outlet.ts";
import { isJson } from "../lib/is-json.ts";

type ToolStart = Extract<StreamPart, { type: "tool-start" }>;
type Begins = { type: "text" } | ToolStart;
/** `text` of the open block is kept for calls alone: it tells when one is complete. */
type Block = { begins: Begins; text: string };

export type BlockEvent = { type: "begin"; block: Begins } | { type: "piece"; text: string } | { type: "stop" };
type BlockOrder = {
  push(part: Exclude<StreamPart, { type: "final" }>): BlockEvent[];
  /** All that waited, and the end of the last block. */
  end(): BlockEvent[];
};

export const createBlockOrder = (): BlockOrder => {
  let open: Block | undefined;
  /** In the order in which they began; later pieces of a call still find it here. */
  const waiting: Block[] = [];

  const close = (): BlockEvent[] => {
    const was = open;
    open = undefined;
    return was === undefined ? [] : [{ type: "stop" }];
  };
  const begin = (block: Block): BlockEvent[] => {
    const events: BlockEvent[] = [...close(), { type: "begin", block: block.begins }];
    open = block;
    return block.text === "" ? events : [...events, { type: "piece", text: block.text }];
  };
  const isFree = (): boolean => waiting.length === 0 && (open === undefined || open.begins.type === "text" || isJson(open.text));
  const start = (block: Block): BlockEvent[] => {
    if (isFree()) return begin(block);
    waiting.push(block);
    return [];
  };

  const pushText = (text: string): BlockEvent[] => {
    if (waiting.length === 0 && open?.begins.type === "text") return [{ type: "piece", text }];
    const last = waiting.at(-1);
    if (last?.begins.type !== "text") return start({ begins: { type: "text" }, text });
    last.text += text;
    return [];
  };
  const pushArguments = (index: number, text: string): BlockEvent[] => {
    const isOf = ({ begins }: Block) => begins.type === "tool-start" && begins.index === index;
    const isOpen = open !== undefined && isOf(open);
    const block = isOpen ? open : waiting.find(isOf);
    if (block !== undefined) block.text += text;
    return isOpen ? [{ type: "piece", text }] : [];
  };

  return {
    push: (part) => {
      if (part.type === "text") return pushText(part.text);
      return part.type === "tool-start" ? start({ begins: part, text: "" }) : pushArguments(part.index, part.text);
    },
    end: () => [...waiting.flatMap(begin), ...close()],
  };
};
