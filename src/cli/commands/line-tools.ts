/** The parts that decide, by themselves: route, refusal, pii, repair and embed on JSON lines; nothing is stored (decisions §12). */

import { readChatBody } from "../../chat/request/read-chat-body.ts";
import { ChatBody } from "../../chat/wire.ts";
import type { Environment } from "../../config/config.ts";
import { loadEncoder } from "../../encoder/encoder.ts";
import { checkShape } from "../../http/read-json.ts";
import { piiLine, readTypes } from "../../policies/pii-line.ts";
import { embedLine, refusalLine, routeLine } from "../../router/route-line.ts";
import { repairLine } from "../../schemas/repair-line.ts";
import { createSchemaCache } from "../../schemas/schema-cache.ts";
import { readWords, UsageError } from "../command.ts";
import { eachLine, requireText } from "./each-line.ts";

const JSONL = { jsonl: { type: "boolean" } } as const;

export const route = async (words: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = readWords(words, JSONL, 1);
  if (!values.jsonl) return (await import("./route.ts")).explainPrompt(positionals[0], values, environment);
  const encoder = await loadEncoder();
  return eachLine((line) =>
    routeLine(encoder, line["messages"] === undefined ? requireText(line, "text") : readConversation(line)),
  );
};

/** Messages as `/v1/chat` takes them, media parts too. */
const readConversation = (line: Record<string, unknown>) => {
  const { request, schema } = readChatBody(checkShape(ChatBody, line), "/v1/route", []);
  return { ...line, messages: request.messages, hasSchema: schema !== undefined };
};

export const refusal = async (words: string[]): Promise<number> => {
  readJsonlWords(words);
  const encoder = await loadEncoder();
  return eachLine((line) => refusalLine(encoder, requireText(line, "response")));
};

export const pii = async (words: string[]): Promise<number> => {
  const { types } = readJsonlWords(words, { types: { type: "string" } });
  const wanted = types === undefined ? undefined : readTypesOrRefuse(types);
  return eachLine((line) => piiLine(requireText(line, "text"), wanted));
};

export const repair = async (words: string[]): Promise<number> => {
  readJsonlWords(words);
  const cache = createSchemaCache();
  return eachLine((line) => repairLine(cache, requireText(line, "input")));
};

export const embed = async (words: string[]): Promise<number> => {
  readJsonlWords(words);
  const encoder = await loadEncoder();
  return eachLine((line) => embedLine(encoder, requireText(line, "text")));
};

const readJsonlWords = (words: string[], options: Record<string, { type: "string" }> = {}) => {
  const { values } = readWords(words, { ...JSONL, ...options });
  if (!values.jsonl) throw new UsageError("This command reads JSON lines: give --jsonl.");
  return values;
};

const readTypesOrRefuse = (list: string) => {
  try {
    return readTypes(list);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
