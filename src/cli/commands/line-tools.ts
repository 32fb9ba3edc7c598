/** The parts that decide, as tools: route, refusal, pii, repair and embed on JSON lines; nothing is stored (decisions §12). */

import { ApiError } from "../../api-error.ts";
import { wantsSchema } from "../../chat/request/chat-input.ts";
import { readChatBody } from "../../chat/request/read-chat-body.ts";
import { ChatBody } from "../../chat/wire.ts";
import type { Environment } from "../../config/config.ts";
import { loadEncoder } from "../../encoder/encoder.ts";
import { checkShape } from "../../http/read-json.ts";
import { toFourDecimals } from "../../lib/round.ts";
import { PERSONAL_DATA_TYPES } from "../../policies/content/personal-data-type.ts";
import { findPersonalData } from "../../policies/content/review-content.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { classify } from "../../router/classify.ts";
import { REFUSAL_FROM, refusalScore } from "../../router/detect-refusal.ts";
import { jsonTextOf, withExactNumbers } from "../../schemas/fit/json-text.ts";
import { repairToFit } from "../../schemas/fit/repair-to-fit.ts";
import { repairJson } from "../../schemas/repair/repair-json.ts";
import { compileCached, createSchemaCache, type SchemaCache } from "../../schemas/schema-cache.ts";
import { type Given, requireWords, UsageError } from "../command.ts";
import { eachLine, type Line, requireText } from "./each-line.ts";

export const route = async (given: Given, environment: Environment): Promise<number> => {
  if (!given.values.jsonl) return (await import("./route.ts")).explainPrompt(given, environment);
  const encoder = await loadEncoder();
  return eachLine((line) => {
    const { task, media, complexity, confidence } = classify(encoder, readConversation(line));
    return { task, media, complexity: toFourDecimals(complexity), confidence: toFourDecimals(confidence) };
  });
};

/** A text, or messages as `/v1/chat` takes them, media parts too. */
const readConversation = (line: Line): { messages: ChatMessage[]; hasSchema: boolean } => {
  if (line["messages"] === undefined)
    return { messages: [{ role: "user", content: requireText(line, "text") }], hasSchema: false };
  const input = readChatBody(checkShape(ChatBody, line), "/v1/route");
  return { messages: input.request.messages, hasSchema: wantsSchema(input) };
};

export const refusal = async (given: Given): Promise<number> => {
  requireJsonl(given);
  const encoder = await loadEncoder();
  return eachLine((line) => {
    const score = refusalScore(encoder, requireText(line, "response"), line["prompt"] ?? undefined);
    return { refusal: score >= REFUSAL_FROM, score: toFourDecimals(score) };
  });
};

export const pii = async (given: Given): Promise<number> => {
  requireJsonl(given);
  const { types } = given.values;
  const wanted = types === undefined ? undefined : requireWords("--types", types, PERSONAL_DATA_TYPES);
  return eachLine((line) => ({ entities: findPersonalData(requireText(line, "text"), wanted) }));
};

export const repair = async (given: Given): Promise<number> => {
  requireJsonl(given);
  const cache = createSchemaCache();
  return eachLine((line) => repaired(cache, requireText(line, "input"), line["schema"] ?? undefined));
};

/** An invalid schema is an error of its line, not of the run. */
const repaired = async (cache: SchemaCache, input: string, schema: unknown) => {
  try {
    const compiled = schema === undefined ? undefined : await compileCached(cache, schema);
    const outcome = compiled === undefined ? repairJson(input) : repairToFit(compiled, input);
    return outcome.ok ? { value: withExactNumbers(jsonTextOf(outcome, input)) } : { error: true, message: outcome.message };
  } catch (error) {
    if (error instanceof ApiError) return { error: true, message: error.message };
    throw error;
  }
};

export const embed = async (given: Given): Promise<number> => {
  requireJsonl(given);
  const encoder = await loadEncoder();
  return eachLine((line) => ({ embedding: Array.from(encoder.embed(requireText(line, "text"))) }));
};

const requireJsonl = ({ values }: Given): void => {
  if (!values.jsonl) throw new UsageError("This command reads JSON lines: give --jsonl.");
};
