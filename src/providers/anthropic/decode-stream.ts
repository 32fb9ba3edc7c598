/** Reads Anthropic's stream events. The event name is not needed: every event's JSON carries its type. */

import { isRecord } from "../../lib/is-record.ts";
import { argumentsText } from "../message-parts.ts";
import { type ChatEvent, type TokenUsage, UpstreamError } from "../provider.ts";
import { recordAt } from "../token-counts.ts";
import { newToolCallId } from "../tool-call-ids.ts";
import { failureMessage, textOf } from "../upstream-failure.ts";
import type { ReadOptions, StreamDecoder } from "../wire-dialect.ts";
import { ANSWER_TOOL, schemaBy } from "./build-request.ts";
import { mapAnthropicError } from "./map-error.ts";
import { finishReasonOf, hasUsage, readUsage } from "./parse-response.ts";

type OpenBlock = { kind: "text" | "thinking" | "tool" | "answer"; toolIndex: number; sawArguments: boolean };

export const createAnthropicDecoder = ({ provider, request, quirks }: ReadOptions): StreamDecoder => {
  const answersByTool = schemaBy(request, quirks) === "forced_tool";
  const blocks = new Map<unknown, OpenBlock>();
  let toolCount = 0;
  let usage: TokenUsage | undefined;
  let stopReason: unknown;
  let started = false;
  /** Text before the answer tool is chatter, unless the tool never comes. */
  let heldText = "";
  let answered = false;

  const pushText = (text: string, events: ChatEvent[]): void => {
    if (text === "") return;
    if (answersByTool) heldText += text;
    else events.push({ type: "text", text });
  };
  const pushArguments = (block: OpenBlock, text: string, events: ChatEvent[]): void => {
    if (text === "") return;
    block.sawArguments = true;
    events.push(block.kind === "answer" ? { type: "text", text } : { type: "tool-arguments", index: block.toolIndex, text });
  };
  const pushUsage = (reported: unknown, events: ChatEvent[]): void => {
    if (!hasUsage(reported)) return;
    usage = readUsage(reported, usage);
    events.push({ type: "usage", usage });
  };

  const startTool = (content: Record<string, unknown>, events: ChatEvent[]): OpenBlock => {
    const name = textOf(content["name"]);
    const isAnswer = answersByTool && name === ANSWER_TOOL;
    const block: OpenBlock = { kind: isAnswer ? "answer" : "tool", toolIndex: isAnswer ? -1 : toolCount++, sawArguments: false };
    if (isAnswer) answered = true;
    else events.push({ type: "tool-start", index: block.toolIndex, id: textOf(content["id"]) || newToolCallId(), name });
    const input = content["input"];
    if (isRecord(input) && Object.keys(input).length > 0) pushArguments(block, argumentsText(input), events);
    return block;
  };

  /** Opens a block of ours, with the content it may begin with; undefined for the blocks of server-side tools. */
  const startBlock = (content: Record<string, unknown>, events: ChatEvent[]): OpenBlock | undefined => {
    switch (content["type"]) {
      case "text":
        pushText(textOf(content["text"]), events);
        return { kind: "text", toolIndex: -1, sawArguments: false };
      case "thinking": {
        const text = textOf(content["thinking"]);
        if (text) events.push({ type: "reasoning", text });
        return { kind: "thinking", toolIndex: -1, sawArguments: false };
      }
      case "tool_use":
        return startTool(content, events);
      default:
        return undefined;
    }
  };

  const readDelta = (block: OpenBlock, delta: Record<string, unknown>, events: ChatEvent[]): void => {
    switch (delta["type"]) {
      case "text_delta":
        pushText(textOf(delta["text"]), events);
        return;
      case "thinking_delta": {
        const text = textOf(delta["thinking"]);
        if (text) events.push({ type: "reasoning", text });
        return;
      }
      case "input_json_delta":
        if (block.kind === "tool" || block.kind === "answer") pushArguments(block, textOf(delta["partial_json"]), events);
    }
  };

  const stopBlock = (block: OpenBlock, events: ChatEvent[]): void => {
    if ((block.kind === "tool" || block.kind === "answer") && !block.sawArguments) pushArguments(block, "{}", events);
  };

  /** A message may begin with content already in it; a proxy may send its start twice. */
  const startMessage = (message: Record<string, unknown>, events: ChatEvent[]): void => {
    if (started) return;
    started = true;
    pushUsage(message["usage"], events);
    for (const content of Array.isArray(message["content"]) ? message["content"].filter(isRecord) : []) {
      const block = startBlock(content, events);
      if (block) stopBlock(block, events);
    }
    stopReason = message["stop_reason"] ?? undefined;
  };

  const finish = (events: ChatEvent[]): void => {
    for (const block of blocks.values()) stopBlock(block, events);
    if (heldText && !answered) events.push({ type: "text", text: heldText });
    events.push({ type: "finish", reason: finishReasonOf(stopReason, toolCount > 0) });
  };

  const readEvent = (event: Record<string, unknown>, events: ChatEvent[]): boolean => {
    switch (event["type"]) {
      case "content_block_delta": {
        const block = blocks.get(event["index"]);
        if (block && isRecord(event["delta"])) readDelta(block, event["delta"], events);
        return false;
      }
      case "content_block_start": {
        const block = isRecord(event["content_block"]) ? startBlock(event["content_block"], events) : undefined;
        if (block) blocks.set(event["index"], block);
        return false;
      }
      case "content_block_stop": {
        const block = blocks.get(event["index"]);
        if (block) stopBlock(block, events);
        blocks.delete(event["index"]);
        return false;
      }
      case "message_start":
        startMessage(recordAt(event, "message"), events);
        return false;
      case "message_delta":
        pushUsage(event["usage"], events);
        stopReason = recordAt(event, "delta")["stop_reason"] ?? stopReason;
        return false;
      case "message_stop":
        finish(events);
        return true;
      case "error":
        throw mapAnthropicError({ provider, status: 0, body: event, accepted: true, ...(usage && { usage }) });
      default:
        if (event["error"])
          throw mapAnthropicError({ provider, status: 0, body: event, accepted: true, ...(usage && { usage }) });
        return false;
    }
  };

  return {
    decode(frame, events) {
      let event: unknown;
      try {
        event = JSON.parse(frame);
      } catch {
        throw new UpstreamError("server", failureMessage(provider, "server"), { accepted: true, ...(usage && { usage }) });
      }
      return isRecord(event) && readEvent(event, events);
    },
    end() {
      throw new UpstreamError("truncated", failureMessage(provider, "truncated"), { accepted: true, ...(usage && { usage }) });
    },
  };
};
