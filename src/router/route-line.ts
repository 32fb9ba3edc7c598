/** The line tools `signalbox route | refusal | embed --jsonl`: one JSON object in, one out (decisions §12). */

import type { Encoder } from "../encoder/encoder.ts";
import { toFourDecimals } from "../lib/round.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { classify } from "./classify.ts";
import { detectRefusal } from "./detect-refusal.ts";

type Id = { id?: string | number };

const idOf = (line: Id): Id => (line.id === undefined ? {} : { id: line.id });

export function routeLine(encoder: Encoder, line: Id & { text?: string; messages?: ChatMessage[]; hasSchema?: boolean }) {
  const messages = line.messages ?? [{ role: "user" as const, content: line.text ?? "" }];
  const found = classify(encoder, { messages, hasSchema: line.hasSchema ?? false });
  return {
    ...idOf(line),
    task: found.task,
    media: found.media,
    complexity: toFourDecimals(found.complexity),
    confidence: toFourDecimals(found.confidence),
  };
}

export function refusalLine(encoder: Encoder, line: Id & { response: string; prompt?: string | null }) {
  const { refusal, score } = detectRefusal(encoder, line.response, line.prompt ?? undefined);
  return { ...idOf(line), refusal, score: toFourDecimals(score) };
}

export const embedLine = (encoder: Encoder, line: Id & { text: string }) => ({
  ...idOf(line),
  embedding: Array.from(encoder.embed(line.text)),
});
