/**
 * One counter of tool calls for a whole stream. Upstreams send every parallel call with index 0, leave indices and ids out,
 * or repeat the id with every piece: a call is told apart by what changed, never by its place inside a chunk.
 */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, textAt } from "../../lib/json-at.ts";
import type { ChatEvent } from "../provider.ts";
import { argumentsText } from "./message-parts.ts";
import { newToolCallId } from "./tool-call-ids.ts";

type OpenCall = {
  /** Our count; -1 until the name is known. */
  index: number;
  upstreamIndex: unknown;
  upstreamId: string;
  name: string;
  arguments: string;
  /** Brackets of the arguments that are open, outside of their strings; 0 once they are closed, undefined before the first. */
  depth: number | undefined;
  /** Within a string of the arguments; behind its backslash. */
  inside: "" | "string" | "escape";
};

/** Pieces of so many calls may come by turns: an older call takes no more of them. */
const MOST_OPEN = 256;

/** What one element of `delta.tool_calls` says. */
type Piece = { upstreamIndex: unknown; id: string; name: string; arguments: string };

type ToolCallCounter = {
  count(): number;
  /** One element of `delta.tool_calls`; `place` where it has neighbours, which counts if it tells no index of its own. */
  readDelta(delta: unknown, events: ChatEvent[], place?: number): void;
  /** Calls that came without arguments get the empty object they have in a whole answer. */
  close(events: ChatEvent[]): void;
};

const readPiece = (delta: Record<string, unknown>, place: number | undefined): Piece => {
  const target = recordAt(delta, "function");
  const value = target["arguments"];
  return {
    upstreamIndex: delta["index"] ?? place,
    id: textAt(delta, "id"),
    name: textAt(target, "name"),
    arguments: isRecord(value) ? argumentsText(value) : textAt(value),
  };
};

const matches = (call: OpenCall, { upstreamIndex, id }: Piece): boolean => {
  if (upstreamIndex === undefined) return id === "" || call.upstreamId === id;
  return call.upstreamIndex === upstreamIndex && (id === "" || call.upstreamId === "" || call.upstreamId === id);
};

/** The newest call this piece can belong to; undefined when it opens a new one. */
const findCall = (calls: OpenCall[], piece: Piece): OpenCall | undefined => {
  const open = calls.slice(-MOST_OPEN);
  const call = open.findLast((candidate) => matches(candidate, piece));
  if (!call) return renamedCall(open, piece);
  if (piece.id !== "" || piece.name === "" || call.index === -1) return call;
  // A name without an id: a new call if it is another name or the one before is complete, else a vendor that repeats it.
  return piece.name !== call.name || call.depth === 0 ? undefined : call;
};

/** Some vendors change the id from piece to piece: one without a name goes on with what its place has begun. */
const renamedCall = (calls: OpenCall[], { upstreamIndex, name }: Piece): OpenCall | undefined =>
  name === ""
    ? calls.findLast((call) => call.upstreamIndex === upstreamIndex && call.index !== -1 && call.depth !== 0)
    : undefined;

/** Each piece is read once, however many there are. */
const addArguments = (call: OpenCall, text: string): void => {
  call.arguments += text;
  for (const character of text) {
    if (call.inside === "escape") call.inside = "string";
    else if (call.inside === "string") call.inside = character === "\\" ? "escape" : character === '"' ? "" : "string";
    else if (character === '"') call.inside = "string";
    else if (character === "{" || character === "[") call.depth = (call.depth ?? 0) + 1;
    else if (character === "}" || character === "]") call.depth = (call.depth ?? 1) - 1;
  }
};

export const createToolCallCounter = (): ToolCallCounter => {
  const calls: OpenCall[] = [];
  let started = 0;

  return {
    count: () => started,
    readDelta(delta, events, place) {
      if (!isRecord(delta)) return;
      const piece = readPiece(delta, place);
      let call = findCall(calls, piece);
      if (!call) {
        const { upstreamIndex, id: upstreamId } = piece;
        call = { index: -1, upstreamIndex, upstreamId, name: "", arguments: "", depth: undefined, inside: "" };
        calls.push(call);
      }
      let text = piece.arguments;
      addArguments(call, text);
      if (call.index === -1) {
        // Arguments that come before the name wait for it.
        if (piece.name === "") return;
        call.upstreamId ||= piece.id;
        call.name = piece.name;
        call.index = started++;
        text = call.arguments;
        events.push({ type: "tool-start", index: call.index, id: call.upstreamId || newToolCallId(), name: piece.name });
      }
      if (text !== "") events.push({ type: "tool-arguments", index: call.index, text });
    },
    close(events) {
      for (const { index, arguments: text } of calls) {
        if (index !== -1 && text.trim() === "") events.push({ type: "tool-arguments", index, text: "{}" });
      }
    },
  };
};
