/** Maps Ollama's errors: `{"error": "text"}` with a status, or as a line of the stream. */

import { textAt } from "../../lib/json-at.ts";
import { saysContextTooLong } from "../upstream/refusal-phrases.ts";
import { errorMemberOf, type Failure, kindOfStatus, upstreamError } from "../upstream/upstream-failure.ts";
import type { Refusal, UpstreamError, UpstreamErrorKind } from "../upstream-error.ts";

/** A schema of which no grammar can be made, or a model that cannot be held to one. */
const FORMAT = ["schema in format", "required for format", "grammar"];

const kindOf = (message: string, status: number): { kind: UpstreamErrorKind } & Partial<Refusal> => {
  // What the model wrote may follow.
  if (message.startsWith("error parsing tool call")) return { kind: "server" };
  const lower = message.slice(0, 500).toLowerCase();
  if (lower.includes("does not support tools")) return { kind: "unsupported_param", param: "tools" };
  if (lower.includes("does not support thinking") || lower.includes("think value"))
    return { kind: "unsupported_param", param: "think" };
  if (FORMAT.some((phrase) => lower.includes(phrase))) return { kind: "unsupported_param", param: "format", once: "schemas" };
  if (saysContextTooLong(message)) return { kind: "context_length" };
  // Models that Ollama serves from elsewhere may need a plan; the others on this machine do not.
  if (["not found", "does not support chat", "requires a subscription"].some((words) => lower.includes(words)))
    return { kind: "model_gone" };
  return { kind: status === 0 ? "server" : kindOfStatus(status) };
};

export const mapOllamaError = (failure: Failure): UpstreamError => {
  const message = textAt(errorMemberOf(failure.body)) || textAt(failure.body);
  return upstreamError(failure, { ...kindOf(message, failure.status), message });
};
