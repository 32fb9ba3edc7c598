/**
 * Counts the tool calls of a stream. Some upstreams give every parallel call the index 0, leave out indices and ids, or repeat the id with
 * every piece, so calls are told apart by what changes, never by their position in a chunk.
 */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, textAt } from "../../lib/json-at.ts";
import type { ChatEvent } from "../provider.ts";
import { argumentsText, isWithoutArguments } from "./message-parts.ts";
import { newToolCallId } from "./tool-call-ids.ts";

type OpenCall = {
  /** Our own index; -1 until the call has begun. */
  index: number;
  upstreamIndex: unknown;
  upstreamId: string;
  name: string;
  arguments: string;
  /** Open brackets of the arguments, outside of strings; 0 once they are closed, undefined before the first. */
  depth: number | undefined;
  /** Whether the arguments so far end inside a string, or after its backslash. */
  inside: "" | "string" | "escape";
};

/** Pieces of this many calls may be interleaved; older calls receive no more. */
const MOST_OPEN = 256;

/** No vendor accepts longer names of tools. */
const LONGEST_NAME = 128;

/** One element of `delta.tool_calls`. */
type Piece = { upstreamIndex: unknown; id: string; name: string; arguments: string };

type ToolCallCounter = {
  count(): number;
  /** Reads one element of `delta.tool_calls`. `place`: its position among several, which counts if it has no index of its own. */
  readDelta(delta: unknown, place?: number): void;
  /** Reads a call that came whole; a second one with the same index, id and name is another call. */
  readWhole(call: unknown): void;
  /** Calls without arguments get an empty object, as in a whole answer. */
  close(): void;
};

/** Some servers write a missing name as text. */
const nameOf = (target: Record<string, unknown>): string => {
  const name = textAt(target, "name");
  return name === "null" ? "" : name;
};

const readPiece = (delta: Record<string, unknown>, place?: number): Piece => {
  const target = recordAt(delta, "function");
  const value = target["arguments"] ?? "";
  return {
    upstreamIndex: delta["index"] ?? place,
    id: textAt(delta, "id"),
    name: nameOf(target),
    arguments: typeof value === "string" ? value : argumentsText(value),
  };
};

const matches = (call: OpenCall, { upstreamIndex, id }: Piece): boolean => {
  if (upstreamIndex === undefined) return id === "" || call.upstreamId === id;
  return call.upstreamIndex === upstreamIndex && (id === "" || call.upstreamId === "" || call.upstreamId === id);
};

/** The newest call that this piece can belong to; undefined if it begins a new one. */
const findCall = (calls: OpenCall[], piece: Piece): OpenCall | undefined => {
  const recent = calls.slice(-MOST_OPEN);
  const call = recent.findLast((candidate) => matches(candidate, piece));
  if (piece.name === "") return continuedCall(recent, piece, call);
  if (!call || piece.id !== "" || call.index === -1) return call;
  // A name without an id begins a new call if the name differs or the last call is complete; else the vendor repeats the name.
  return piece.name !== call.name || call.depth === 0 ? undefined : call;
};

const isOpen = (call: OpenCall | undefined): call is OpenCall => call !== undefined && call.name !== "" && call.depth !== 0;

/**
 * The call that a piece without a name continues: the one that it `matches`, unless that is complete. Some vendors change the id from piece
 * to piece, and some give the later pieces another index.
 */
const continuedCall = (calls: OpenCall[], piece: Piece, matched: OpenCall | undefined): OpenCall | undefined => {
  if (matched && (matched.depth !== 0 || matched.arguments === "")) return matched;
  const atIndex = calls.findLast((call) => isOpen(call) && call.upstreamIndex === piece.upstreamIndex);
  if (atIndex) return atIndex;
  const newest = calls.at(-1);
  return piece.id === "" && isOpen(newest) ? newest : matched;
};

/**
 * Adds a piece to the call's arguments, in time linear in the piece, and returns what is new of it. Some vendors send complete arguments a
 * second time, and some send an empty object before the real ones: `close` gives that to the calls that get nothing else.
 */
const addArguments = (call: OpenCall, text: string): string => {
  if (call.depth === 0 && call.arguments !== "") return "";
  if (call.arguments === "" && text.trim() !== "" && isWithoutArguments(text)) {
    call.depth = 0;
    return "";
  }
  call.arguments += text;
  for (const character of text) {
    if (call.inside === "escape") call.inside = "string";
    else if (call.inside === "string") call.inside = character === "\\" ? "escape" : character === '"' ? "" : "string";
    else if (character === '"') call.inside = "string";
    else if (character === "{" || character === "[") call.depth = (call.depth ?? 0) + 1;
    else if (character === "}" || character === "]") call.depth = (call.depth ?? 1) - 1;
  }
  return text;
};

/** Appends to `events`. `names`: the tools of the request. */
export const createToolCallCounter = (events: ChatEvent[], names: readonly string[] = []): ToolCallCounter => {
  const calls: OpenCall[] = [];
  let started = 0;

  /** Whether this is the name of a tool, and no other tool's name begins with it. */
  const isTool = (name: string): boolean =>
    names.includes(name) && !names.some((other) => other !== name && other.startsWith(name));

  const begin = (call: OpenCall): void => {
    call.index = started++;
    events.push({ type: "tool-start", index: call.index, id: call.upstreamId || newToolCallId(), name: call.name });
    if (call.arguments !== "") events.push({ type: "tool-arguments", index: call.index, text: call.arguments });
  };
  /** Names may come in pieces, so a call begins when its name is that of a tool, or at the latest when another call follows. */
  const beginNamed = (): void => {
    for (const call of calls.slice(-MOST_OPEN)) if (call.index === -1 && call.name !== "") begin(call);
  };

  return {
    count: () => started,
    readDelta(delta, place) {
      if (!isRecord(delta)) return;
      const piece = readPiece(delta, place);
      let call = findCall(calls, piece);
      if (!call) {
        beginNamed();
        const { upstreamIndex, id: upstreamId } = piece;
        call = { index: -1, upstreamIndex, upstreamId, name: "", arguments: "", depth: undefined, inside: "" };
        calls.push(call);
      }
      const text = addArguments(call, piece.arguments);
      if (call.index !== -1) {
        if (text !== "") events.push({ type: "tool-arguments", index: call.index, text });
        return;
      }
      call.upstreamId ||= piece.id;
      if (piece.name !== call.name) call.name += piece.name;
      // Arguments that arrive before the name are kept until it comes.
      if (call.name === "") return;
      const isWhole = call.arguments !== "" || call.depth === 0 || call.name.length > LONGEST_NAME;
      if (isWhole || isTool(call.name)) begin(call);
    },
    readWhole(call) {
      const { id, name, arguments: text } = readPiece(recordAt(call));
      if (name === "") return;
      const index = started++;
      events.push({ type: "tool-start", index, id: id || newToolCallId(), name });
      events.push({ type: "tool-arguments", index, text: argumentsText(text) });
    },
    close() {
      beginNamed();
      for (const { index, arguments: text } of calls) {
        if (index !== -1 && text.trim() === "") events.push({ type: "tool-arguments", index, text: "{}" });
      }
    },
  };
};
