/**
 * Some servers leave an open model's thinking in its text, between tags. It is separated here, as other servers do. Requests that mention
 * the tags get them.
 */

import { plainText } from "./dialect/message-parts.ts";
import type { ChatEvent, ChatMessage, ChatRequest, TakeEvents } from "./provider.ts";

/**
 * The tags of Qwen, DeepSeek and most others, of Seed, Kimi and Magistral, of GPT-OSS at Bedrock, and of Gemma and EXAONE. What older Claudes
 * and Nova write between `<thinking>` and its end is their answer's.
 */
const TAGS = [
  ["<think>", "</think>"],
  ["<seed:think>", "</seed:think>"],
  ["◁think▷", "◁/think▷"],
  ["[THINK]", "[/THINK]"],
  ["<reasoning>", "</reasoning>"],
  ["<thought>", "</thought>"],
  ["<|channel>thought", "<channel|>"],
] as const;
/** A tag that begins later is part of the answer, however many blanks precede it. */
const LATEST_TAG = 64;
/** No more leading blanks of a thought or an answer are left out, or an endless run of them would never be counted. */
const MOST_BLANKS = 1_000;

/** Events by which a server itself tells thinking. The text has not begun, or goes on behind them. */
const TOLD_THOUGHTS: ReadonlySet<ChatEvent["type"]> = new Set(["reasoning", "thinking", "thinking-end", "thought"]);

type Tag = (typeof TAGS)[number];

/** `maybe`: more text is needed to tell. */
const tagAt = (text: string, { messages }: ChatRequest): Tag | "maybe" | undefined => {
  const start = text.slice(0, LATEST_TAG).trimStart();
  if (text.length < LATEST_TAG && TAGS.some(([open]) => start.length < open.length && open.startsWith(start))) return "maybe";
  const tag = TAGS.find(([open]) => start.startsWith(open));
  const asks = ({ role, content }: ChatMessage) => (role === "system" || role === "user") && plainText(content).includes(tag![0]);
  return tag && messages.some(asks) ? undefined : tag;
};

/** Holds back only what a tag may begin or end with. Thinking that never ends is the whole text; there is no answer. */
export const setThoughtsApart = (take: TakeEvents, request: ChatRequest): TakeEvents => {
  /** Undefined once the answer has begun: from there on everything is passed on as it is. */
  let reading: ReturnType<typeof createReader> | undefined = createReader(request);
  return (events) => {
    if (reading === undefined) return take(events);
    const reader = reading;
    const told = events.flatMap((event): ChatEvent[] => {
      if (event.type === "text") return reader.read(event.text);
      if (event.type === "usage") return [event];
      if (!TOLD_THOUGHTS.has(event.type)) return [...reader.rest(), event];
      reader.standApart();
      return [event];
    });
    if (reader.isDone()) reading = undefined;
    return told.length === 0 || take(told);
  };
};

const tellText = (text: string): ChatEvent[] => (text === "" ? [] : [{ type: "text", text }]);

const createReader = (request: ChatRequest) => {
  let held = "";
  /** The closing tag of the current thought. */
  let close: string | undefined;
  let state: "before" | "within" | "behind" | "done" = "before";
  /** Leading blanks are not part of a thought: models that do not think write a pair of tags with nothing between. */
  let hasThought = false;
  /** Between what the server itself told of the thinking and the first of ours. */
  let gap = "";
  /** Leading blanks that were left out. */
  let blanks = 0;

  const tellThought = (thought: string): ChatEvent[] => {
    if (thought === "") return [];
    const text = gap + thought;
    gap = "";
    return [{ type: "reasoning", text }];
  };
  const begin = (): ChatEvent[] => {
    const tag = tagAt(held, request);
    if (tag === "maybe") return [];
    if (tag === undefined) return rest();
    state = "within";
    close = tag[1];
    held = held.trimStart().slice(tag[0].length);
    return think();
  };
  const dropBlanks = (): void => {
    const rest = held.trimStart();
    blanks += held.length - rest.length;
    held = rest;
  };
  const think = (): ChatEvent[] => {
    if (!hasThought) dropBlanks();
    hasThought ||= held !== "" || blanks > MOST_BLANKS;
    const end = held.indexOf(close!);
    if (end === -1) {
      const waiting = Math.min(held.length, close!.length - 1);
      const thought = held.slice(0, held.length - waiting);
      held = held.slice(held.length - waiting);
      return tellThought(thought);
    }
    const thought = held.slice(0, end);
    held = held.slice(end + close!.length);
    state = "behind";
    return [...tellThought(thought), ...answer()];
  };
  const answer = (): ChatEvent[] => {
    dropBlanks();
    return held === "" && blanks <= MOST_BLANKS ? [] : rest();
  };
  const rest = (): ChatEvent[] => {
    const events = state === "within" ? tellThought(held) : tellText(held);
    held = "";
    state = "done";
    return events;
  };
  return {
    isDone: () => state === "done",
    /** The server has told some of the thinking itself. */
    standApart: (): void => {
      gap = "\n\n";
    },
    read: (text: string): ChatEvent[] => {
      if (state === "done") return tellText(text);
      held += text;
      return state === "before" ? begin() : state === "within" ? think() : answer();
    },
    /** Call it when the text has ended. */
    rest,
  };
};
