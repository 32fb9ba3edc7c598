/** Reads Ollama's answers: a stream of one JSON object a line, the last with `done: true`, or one such line with all of it. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import { firstCount } from "../dialect/token-counts.ts";
import { newToolCallId } from "../dialect/tool-call-ids.ts";
import type { AnswerReader, ReadOptions } from "../dialect/wire-dialect.ts";
import type { ChatEvent, FinishReason, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapOllamaError } from "./map-error.ts";

type Line = Record<string, unknown>;

/** `thought`: what was thought before the first call. */
type Reading = { provider: string; events: ChatEvent[]; toolCount: number; thought: string };

/** Of longer thinking only the beginning goes back with the calls. */
const MOST_CHARACTERS = 1_000_000;

/** A prompt that was entirely cached is missing from the counts. */
const readUsage = (line: Line): TokenUsage | undefined => {
  const prompt = firstCount(line, "prompt_eval_count");
  const output = firstCount(line, "eval_count");
  if (prompt === undefined && output === undefined) return undefined;
  return { input: prompt ?? 0, cacheRead: 0, cacheWrite: 0, output: output ?? 0, reasoning: 0 };
};

const finishReasonOf = (reason: unknown, sawToolCall: boolean): FinishReason =>
  reason === "length" ? "length" : sawToolCall ? "tool_calls" : "stop";

/** Models that think between calls get it back with them, so it is passed on once, before the first call. */
const passThought = (reading: Reading): void => {
  if (reading.thought !== "") reading.events.push({ type: "thought", thought: { text: reading.thought } });
  reading.thought = "";
};

/** True for the last line. Ollama's indices of calls are all 0 and ids may be missing, so both are made here. */
const readLine = (reading: Reading, line: Line): boolean => {
  const { events } = reading;
  if (line["error"]) throw mapOllamaError({ provider: reading.provider, status: 0, body: line, accepted: true });
  const message = recordAt(line, "message");
  const reasoning = textAt(message, "thinking");
  const text = textAt(message, "content");
  if (reasoning) events.push({ type: "reasoning", text: reasoning });
  if (reading.thought.length < MOST_CHARACTERS) reading.thought += reasoning;
  if (text) events.push({ type: "text", text });
  for (const call of recordsAt(message, "tool_calls")) {
    const target = recordAt(call, "function");
    const name = textAt(target, "name");
    if (name === "") continue;
    passThought(reading);
    const index = reading.toolCount++;
    events.push({ type: "tool-start", index, id: textAt(call, "id") || newToolCallId(), name });
    events.push({ type: "tool-arguments", index, text: argumentsText(target["arguments"]) });
  }
  if (line["done"] !== true) return false;
  const usage = readUsage(line);
  if (usage) events.push({ type: "usage", usage });
  events.push({ type: "finish", reason: finishReasonOf(line["done_reason"], reading.toolCount > 0) });
  return true;
};

export const createOllamaReader = ({ provider }: ReadOptions, events: ChatEvent[]): AnswerReader => {
  const reading: Reading = { provider, events, toolCount: 0, thought: "" };
  return {
    readWhole(body) {
      const line = recordAt(body);
      if (!line["error"] && !isRecord(line["message"])) throw brokenAnswer("server", provider);
      readLine(reading, { ...line, done: true });
    },
    readFrame(frame) {
      const line = parseFrame(frame, provider);
      if (!isRecord(line)) throw brokenAnswer("server", provider);
      return readLine(reading, line);
    },
    end() {
      throw brokenAnswer("truncated", provider);
    },
  };
};
