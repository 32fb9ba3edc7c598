/** Parses a whole generateContent answer: one frame of a stream, or a list of them. */

import { recordAt, recordsAt } from "../../lib/json-at.ts";
import type { ReadOptions } from "../dialect/wire-dialect.ts";
import type { ChatEvent, ChatResult } from "../provider.ts";
import { createCollector } from "../upstream/answer-forms.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { finishReading, newReading, readFrame } from "./read-frame.ts";

export const parseGoogleResponse = (body: unknown, { provider }: ReadOptions): ChatResult => {
  const reading = newReading(provider);
  const events: ChatEvent[] = [];
  for (const frame of Array.isArray(body) ? recordsAt(body) : [recordAt(body)]) readFrame(reading, frame, events);
  if (!reading.hasBegun && reading.blockReason === "") throw brokenAnswer("server", provider, reading.usage);
  // Unlike a stream, it cannot end too early.
  reading.finishReason ||= "STOP";
  finishReading(reading, events);
  const { result, take } = createCollector();
  take(events);
  return result;
};
