/**
 * One counter of tool calls for a whole stream. Upstreams send every parallel call with index 0, leave indices and ids out,
 * or repeat the id with every piece: a call is told apart by what changed, never by its place inside a chunk.
 */

import { isRecord } from "../lib/is-record.ts";
import { argumentsText } from "./message-parts.ts";
import type { ChatEvent } from "./provider.ts";
import { recordAt } from "./token-counts.ts";
import { newToolCallId } from "./tool-call-ids.ts";
import { textOf } from "./upstream-failure.ts";

type OpenCall = {
  index: number;
  upstreamIndex: unknown;
  upstreamId: string;
  started: boolean;
  heldArguments: string;
  arguments: string;
};

const isWholeJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

export const createToolCallCounter = () => {
  const calls: OpenCall[] = [];
  let started = 0;

  /** The newest call this piece can belong to; undefined when it opens a new one. */
  const findCall = (upstreamIndex: unknown, id: string, name: string): OpenCall | undefined => {
    const call =
      upstreamIndex === undefined || upstreamIndex === null
        ? (id && calls.findLast((candidate) => candidate.upstreamId === id)) || (id ? undefined : calls.at(-1))
        : calls.findLast(
            (candidate) =>
              candidate.upstreamIndex === upstreamIndex &&
              (id === "" || candidate.upstreamId === "" || candidate.upstreamId === id),
          );
    if (!call || id !== "" || name === "" || !call.started) return call;
    // A name without an id: a new call if the one before it is complete, else a vendor that repeats the name.
    return isWholeJson(call.arguments) ? undefined : call;
  };

  const start = (call: OpenCall, name: string, events: ChatEvent[]): void => {
    call.started = true;
    call.index = started++;
    events.push({ type: "tool-start", index: call.index, id: call.upstreamId || newToolCallId(), name });
  };

  const append = (call: OpenCall, text: string, events: ChatEvent[]): void => {
    if (text === "") return;
    call.arguments += text;
    events.push({ type: "tool-arguments", index: call.index, text });
  };

  return {
    count: () => started,
    /** One element of `delta.tool_calls`. */
    readDelta(delta: unknown, events: ChatEvent[]): void {
      if (!isRecord(delta)) return;
      const target = recordAt(delta, "function");
      const id = textOf(delta["id"]);
      const name = textOf(target["name"]);
      let call = findCall(delta["index"], id, name);
      if (!call) {
        call = { index: -1, upstreamIndex: delta["index"], upstreamId: id, started: false, heldArguments: "", arguments: "" };
        calls.push(call);
      }
      const value = target["arguments"];
      const text = isRecord(value) ? argumentsText(value) : textOf(value);
      if (!call.started && name === "") {
        call.heldArguments += text;
        return;
      }
      if (!call.started) {
        if (call.upstreamId === "") call.upstreamId = id;
        start(call, name, events);
        append(call, call.heldArguments, events);
      }
      append(call, text, events);
    },
    /** A call that arrives whole. */
    whole(name: string, id: string, text: string, events: ChatEvent[]): void {
      const call = { index: -1, upstreamIndex: undefined, upstreamId: id, started: false, heldArguments: "", arguments: "" };
      calls.push(call);
      start(call, name, events);
      append(call, text, events);
    },
    /** Calls that came without arguments get the empty object they have in a whole answer. */
    close(events: ChatEvent[]): void {
      for (const call of calls) if (call.started && call.arguments.trim() === "") append(call, "{}", events);
    },
  };
};
