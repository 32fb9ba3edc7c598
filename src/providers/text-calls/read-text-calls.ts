/**
 * Servers of open models do not know how every model writes its calls of tools, and then leave them in the text. They are read here.
 * What is not certainly the call of an offered tool stays text.
 */

import { MOST_CHARACTERS_A_TOKEN } from "../../lib/estimate-tokens.ts";
import { finishWithCalls } from "../dialect/finish-with-calls.ts";
import { plainText } from "../dialect/message-parts.ts";
import { newToolCallId } from "../dialect/tool-call-ids.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { ChatEvent, ChatRequest, TakeEvents } from "../provider.ts";
import { addPiece, newPieces } from "./pieces.ts";
import { readAnswer } from "./read-answer.ts";
import type { TextCall, Tools } from "./read-call.ts";

/** What is held back has a bound, also if a provider ignores that of its answer. */
const MOST_CHARACTERS = 1_000_000;

const offeredTools = ({ tools = [], toolChoice }: ChatRequest): Tools => {
  const mayCall = (name: string): boolean => (typeof toolChoice === "object" ? name === toolChoice.name : toolChoice !== "none");
  const offered = new Map(tools.filter(({ name }) => mayCall(name)).map(({ name, parameters }) => [name, parameters]));
  const schemas = new Map<string, Record<string, unknown>>();
  return {
    names: [...offered.keys()],
    schemaOf: (name) => schemas.getOrInsertComputed(name, () => toToolSchema(offered.get(name))),
  };
};

/** What the system prompt mentions may be how its tools are called. */
const mentions = ({ messages }: ChatRequest, markup: string): boolean =>
  messages.some(({ role, content }) => role === "user" && plainText(content).includes(markup));

/** `read` takes the next piece of the text, undefined at its end, and returns what is certain by then; `held` returns what is not. */
const createReader = (request: ChatRequest, tools: Tools) => {
  const { maxOutputTokens = MOST_CHARACTERS } = request;
  const pieces = newPieces(Math.min(MOST_CHARACTERS, maxOutputTokens * MOST_CHARACTERS_A_TOKEN));
  const mentioned = new Map<string, boolean>();
  let found: (string | TextCall)[] = [];
  const reading = readAnswer(pieces, {
    tools,
    takesBareJson: request.outputFormat === undefined,
    isMentioned: (markup) => mentioned.getOrInsertComputed(markup, () => mentions(request, markup)),
    tellText: (text) => {
      const last = found.at(-1);
      if (typeof last === "string") found[found.length - 1] = last + text;
      else found.push(text);
    },
    tellCall: (call) => found.push(call),
  });
  return {
    read: (piece: string | undefined): readonly (string | TextCall)[] => {
      if (piece === undefined) pieces.isEnded = true;
      else addPiece(pieces, piece);
      reading.next();
      const certain = found;
      found = [];
      return certain;
    },
    held: () => pieces.taken + pieces.text.slice(pieces.at),
  };
};

/** Holds back only what may be a call, or the beginning of one. */
export const readTextCalls = (take: TakeEvents, request: ChatRequest): TakeEvents => {
  const tools = offeredTools(request);
  if (tools.names.length === 0) return take;
  const { read, held } = createReader(request, tools);
  let hasEnded = false;
  let isHolding = false;
  let calls = 0;
  const tell = (piece: string | undefined): ChatEvent[] => {
    const told = read(piece).flatMap((each): ChatEvent[] => {
      if (typeof each === "string") return [{ type: "text", text: each }];
      const index = calls++;
      return [
        { type: "tool-start", index, id: newToolCallId(), name: each.name },
        { type: "tool-arguments", index, text: each.arguments },
      ];
    });
    const soFar = held();
    if (soFar !== "" || isHolding) told.push({ type: "held", soFar });
    isHolding = soFar !== "";
    return told;
  };
  /** The server's own calls follow those that were read. */
  const pass = (event: ChatEvent): ChatEvent => {
    if (calls === 0) return event;
    if (event.type === "finish") return { ...event, reason: finishWithCalls(event.reason, true) };
    return event.type === "tool-start" || event.type === "tool-arguments" ? { ...event, index: event.index + calls } : event;
  };
  const follow = (event: ChatEvent): ChatEvent[] => {
    if (hasEnded || event.type === "usage" || event.type === "reasoning") return [pass(event)];
    if (event.type === "text") return tell(event.text);
    hasEnded = true;
    const rest = tell(undefined);
    return [...rest, pass(event)];
  };
  return (events) => {
    // A server that tells calls by itself has left none in the text. In a stream that may be known only after the text.
    if (!isHolding && events.some(({ type }) => type === "tool-start")) hasEnded = true;
    const told = events.flatMap(follow);
    return told.length === 0 || take(told);
  };
};
