/** Maps Ollama's errors: `{"error": "text"}` with a status, or as a line of the stream. */

import { textAt } from "../../lib/json-at.ts";
import { type RefusalWords, refusalByWords } from "../dialect/refusal-by-words.ts";
import { says } from "../upstream/refusal-phrases.ts";
import { errorMemberOf, type Failure, kindOfStatus, upstreamError } from "../upstream/upstream-failure.ts";
import type { Refusal, UpstreamError, UpstreamErrorKind } from "../upstream-error.ts";

const REFUSALS: readonly RefusalWords[] = [
  [/does not support tools/i, "tools"],
  [/does not support thinking|think value/i, "think"],
  // A schema of which no grammar can be made, or a model that cannot be held to one.
  [/schema in format|required for format|grammar/i, "format", "schemas"],
];

/** Models that Ollama serves from elsewhere may need a plan; the others on this machine do not. */
const GONE = /not found|does not support chat|requires a subscription/i;

const verdictOf = (message: string, status: number): { kind: UpstreamErrorKind } & Partial<Refusal> => {
  // What the model wrote may follow.
  if (message.startsWith("error parsing tool call")) return { kind: "server" };
  const refusal = refusalByWords(REFUSALS, message);
  if (refusal) return { kind: "unsupported_param", ...refusal };
  if (says("context too long", message)) return { kind: "context_length" };
  if (GONE.test(message.slice(0, 500))) return { kind: "model_gone" };
  return { kind: status === 0 ? "server" : kindOfStatus(status) };
};

export const mapOllamaError = (failure: Failure): UpstreamError => {
  const message = textAt(errorMemberOf(failure.body)) || textAt(failure.body);
  return upstreamError(failure, { ...verdictOf(message, failure.status), message });
};
