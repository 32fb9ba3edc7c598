/** Parses Ollama's whole answer, which is the last line of a stream and has all of it. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt } from "../../lib/json-at.ts";
import type { ReadOptions } from "../dialect/wire-dialect.ts";
import type { ChatEvent, ChatResult } from "../provider.ts";
import { createCollector } from "../upstream/answer-forms.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { newReading, readLine } from "./read-line.ts";

export const parseOllamaResponse = (body: unknown, { provider }: ReadOptions): ChatResult => {
  const line = recordAt(body);
  if (!line["error"] && !isRecord(line["message"])) throw brokenAnswer("server", provider);
  const events: ChatEvent[] = [];
  readLine(newReading(provider), { ...line, done: true }, events);
  const { result, take } = createCollector();
  take(events);
  return result;
};
