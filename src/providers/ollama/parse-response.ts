/** Parses Ollama's whole answer. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, textAt } from "../../lib/json-at.ts";
import type { ReadOptions } from "../dialect/wire-dialect.ts";
import { type ChatResult, noUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapOllamaError } from "./map-error.ts";
import { finishReasonOf, readToolCalls, readUsage } from "./read-line.ts";

export const parseOllamaResponse = (body: unknown, { provider }: ReadOptions): ChatResult => {
  const record = recordAt(body);
  if (record["error"]) throw mapOllamaError({ provider, status: 0, body, accepted: true });
  const message = record["message"];
  if (!isRecord(message)) throw brokenAnswer("server", provider);
  const toolCalls = readToolCalls(message);
  const usage = readUsage(record);
  const reasoning = textAt(message, "thinking");
  return {
    text: textAt(message, "content"),
    ...(reasoning && { reasoning }),
    toolCalls,
    finishReason: finishReasonOf(record["done_reason"], toolCalls.length > 0),
    usage: usage ?? noUsage(),
    usageSource: usage ? "provider" : "none",
  };
};
