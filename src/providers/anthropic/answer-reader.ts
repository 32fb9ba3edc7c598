/** Reads Anthropic's messages, whole or event by event. Event names are not needed, since every event's JSON has its type. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import type { AnswerReader, ReadOptions } from "../dialect/wire-dialect.ts";
import type { ChatEvent, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { answerFormOf } from "./build-request.ts";
import { type Blocks, closeBlocks, growBlock, newBlocks, startBlock, stopBlock } from "./content-blocks.ts";
import { mapAnthropicError } from "./map-error.ts";
import { finishReasonOf, hasUsage, readUsage } from "./read-message.ts";

type Json = Record<string, unknown>;

type State = {
  provider: string;
  events: ChatEvent[];
  blocks: Blocks;
  usage: TokenUsage | undefined;
  stopReason: unknown;
  stopSequence: unknown;
  started: boolean;
};

const pushUsage = (state: State, reported: unknown): void => {
  if (!hasUsage(reported)) return;
  state.usage = readUsage(reported, state.usage);
  state.events.push({ type: "usage", usage: state.usage });
};

/** A stream's message may begin with content, and a proxy may send its start twice. */
const startMessage = (state: State, message: Json): void => {
  if (state.started) return;
  state.started = true;
  pushUsage(state, message["usage"]);
  for (const [index, content] of recordsAt(message, "content").entries()) {
    startBlock(state.blocks, index, content);
    stopBlock(state.blocks, index);
  }
  state.stopReason = message["stop_reason"];
  state.stopSequence = message["stop_sequence"];
};

const finish = ({ events, blocks, stopReason, stopSequence }: State): void => {
  closeBlocks(blocks);
  const reason = finishReasonOf(stopReason, blocks.toolCount > 0);
  events.push({ type: "finish", reason, stopSequence: textAt(stopSequence) || undefined });
};

const failWith = ({ provider, usage }: State, body: Json): never => {
  throw mapAnthropicError({ provider, status: 0, body, accepted: true, usage });
};

/** True for the last event. Unknown events are ignored. */
const readEvent = (state: State, event: Json): boolean => {
  switch (event["type"]) {
    case "content_block_delta":
      growBlock(state.blocks, event["index"], recordAt(event, "delta"));
      return false;
    case "content_block_start":
      startBlock(state.blocks, event["index"], recordAt(event, "content_block"));
      return false;
    case "content_block_stop":
      stopBlock(state.blocks, event["index"]);
      return false;
    case "message_start":
      startMessage(state, recordAt(event, "message"));
      return false;
    case "message_delta":
      pushUsage(state, event["usage"]);
      state.stopReason = recordAt(event, "delta")["stop_reason"] ?? state.stopReason;
      state.stopSequence = recordAt(event, "delta")["stop_sequence"] ?? state.stopSequence;
      return false;
    case "message_stop":
      finish(state);
      return true;
    default:
      return event["type"] === "error" || event["error"] ? failWith(state, event) : false;
  }
};

export const createAnthropicReader = ({ provider, request, quirks }: ReadOptions, events: ChatEvent[]): AnswerReader => {
  const state: State = {
    provider,
    events,
    blocks: newBlocks(events, answerFormOf(request, quirks).by === "forced_tool"),
    usage: undefined,
    stopReason: undefined,
    stopSequence: undefined,
    started: false,
  };
  return {
    readWhole(body) {
      const message = recordAt(body);
      if (message["type"] === "error" || message["error"]) failWith(state, message);
      if (!Array.isArray(message["content"])) throw brokenAnswer("server", provider);
      startMessage(state, message);
      finish(state);
    },
    readFrame(frame) {
      const event = parseFrame(frame, provider, state.usage);
      return isRecord(event) && readEvent(state, event);
    },
    end() {
      throw brokenAnswer("truncated", provider, state.usage);
    },
  };
};
