/**
 * Orders a stream's parts into content blocks, one after the other, as Anthropic's clients need them: pieces of parallel calls may be
 * interleaved, but a closed block takes no more. Pieces of later blocks wait.
 */

import type { FinalPart, PicturePart, StreamPart } from "../chat/response/outlet.ts";
import { isJson } from "../lib/is-json.ts";
import type { Thought } from "../providers/provider.ts";

/** Clients return thinking only with a signature; this one marks that of vendors who sign nothing. */
export const UNSIGNED = "unsigned";

type ToolStart = Extract<StreamPart, { type: "tool-start" }>;
export type Begins = { type: "text" | "thinking" } | { type: "redacted"; data: string } | PicturePart | ToolStart;
/** `text` of the open block is kept only for calls, to detect when one is complete. Thinking is complete with its signature. */
type Block = { begins: Begins; text: string; signature?: string };

export type BlockEvent =
  | { type: "begin"; block: Begins }
  | { type: "piece"; text: string }
  | { type: "signature"; signature: string }
  | { type: "stop" };
type BlockOrder = {
  push(part: Exclude<StreamPart, FinalPart>): BlockEvent[];
  /** Returns everything that waited, and the end of the last block. */
  end(): BlockEvent[];
};

export const createBlockOrder = (): BlockOrder => {
  let open: Block | undefined;
  /** In the order in which they began. */
  const waiting: Block[] = [];
  /** The calls that are open or wait, by their index; later pieces are added here. */
  const calls = new Map<number, Block>();

  /** Thinking ends with its signature. */
  const close = (signature?: string): BlockEvent[] => {
    if (open === undefined) return [];
    const { begins } = open;
    open = undefined;
    if (begins.type === "tool-start") calls.delete(begins.index);
    const sealed: BlockEvent[] = begins.type === "thinking" ? [{ type: "signature", signature: signature || UNSIGNED }] : [];
    return [...sealed, { type: "stop" }];
  };
  const begin = (block: Block): BlockEvent[] => {
    const events: BlockEvent[] = [...close(), { type: "begin", block: block.begins }];
    open = block;
    if (block.text !== "") events.push({ type: "piece", text: block.text });
    return block.signature === undefined ? events : [...events, ...close(block.signature)];
  };
  const isFree = (): boolean =>
    waiting.length === 0 && (open === undefined || open.begins.type !== "tool-start" || isJson(open.text));
  const start = (block: Block): BlockEvent[] => {
    if (block.begins.type === "tool-start") calls.set(block.begins.index, block);
    if (isFree()) return begin(block);
    waiting.push(block);
    return [];
  };

  const pushText = (type: "text" | "thinking", text: string): BlockEvent[] => {
    if (waiting.length === 0 && open?.begins.type === type) return [{ type: "piece", text }];
    const last = waiting.at(-1);
    if (last?.begins.type !== type || last.signature !== undefined) return start({ begins: { type }, text });
    last.text += text;
    return [];
  };
  const endThought = (signature: string): BlockEvent[] => {
    const last = waiting.at(-1);
    if (last?.begins.type === "thinking" && last.signature === undefined) last.signature = signature;
    else if (waiting.length === 0 && open?.begins.type === "thinking") return close(signature);
    // A redacted thought has no text to show.
    else return start({ begins: { type: "thinking" }, text: "", signature });
    return [];
  };
  const pushThought = (thought: Thought): BlockEvent[] => {
    if ("redacted" in thought) return start({ begins: { type: "redacted", data: thought.redacted }, text: "", signature: "" });
    const { text, signature = UNSIGNED } = thought;
    return start({ begins: { type: "thinking" }, text, signature });
  };
  const pushArguments = (index: number, text: string): BlockEvent[] => {
    const block = calls.get(index);
    if (block === undefined) return [];
    block.text += text;
    return block === open ? [{ type: "piece", text }] : [];
  };

  return {
    push: (part) => {
      switch (part.type) {
        case "text":
        case "thinking":
          return pushText(part.type, part.text);
        case "thinking-end":
          return endThought(part.signature);
        case "thought":
          return pushThought(part.thought);
        // Whole as it comes.
        case "picture":
          return start({ begins: part, text: "", signature: "" });
        case "tool-start":
          return start({ begins: part, text: "" });
        case "tool-arguments":
          return pushArguments(part.index, part.text);
      }
    },
    end: () => [...waiting.flatMap(begin), ...close()],
  };
};
