/**
 * Gemini wants its thought signatures back with past calls of tools. OpenAI's format has no field for them, so servers added two: one at
 * the call (Google), and encrypted thinking beside the calls, which names its call (OpenRouter). Until they go back, in the form in which
 * they came, they travel inside the call's id. In place of one that is missing or not its own Gemini takes a placeholder.
 */

import { isRecord } from "../../lib/is-record.ts";
import { recordsAt, textAt } from "../../lib/json-at.ts";
import { newToolCallId, splitSignature, withSignature } from "../dialect/tool-call-ids.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { FOREIGN_SIGNATURE } from "../google/build-contents.ts";
import type { ChatMessage } from "../provider.ts";

type Json = Record<string, unknown>;

/** Whether a server runs a model that gives and wants signatures, by the model's name there. */
export const isGemini = (model: string): boolean => /gemini/i.test(model);

const FORMAT = "google-gemini-v1";

const atCall = (signature: string): WireBody => ({ extra_content: { google: { thought_signature: signature } } });

const besideCalls = (callId: string, signature: string): WireBody => ({
  type: "reasoning.encrypted",
  format: FORMAT,
  id: callId,
  index: 0,
  data: signature,
});

export const isSigned = (call: unknown): boolean => isRecord(call) && "extra_content" in call;

/** Puts the signatures of one answer into the ids of its calls. */
export type CallSigner = {
  /** Call it with each delta, or the message, before its calls are signed. */
  hear(message: Json): void;
  sign(calls: readonly unknown[]): readonly unknown[];
};

/** Of a stream's call, only a signature that comes no later than the call itself can be kept: its id has been passed on by then. */
export const createCallSigner = (): CallSigner => {
  /** Signatures that came beside the calls, by the call that they name; "" if none. */
  const beside = new Map<string, string>();
  /** The server's ids of calls that have been seen → ours. */
  const ids = new Map<string, string>();

  const signed = (call: Json): string => {
    const id = textAt(call, "id");
    const own = textAt(call, "extra_content", "google", "thought_signature");
    if (own !== "") return withSignature(id || newToolCallId(), "google", own);
    const unnamed = ids.size === 0 ? beside.get("") : undefined;
    return withSignature(id, "openrouter", beside.get(id) ?? unnamed);
  };
  const sign = (call: unknown): unknown => {
    // Later pieces of a call need no id.
    if (!isRecord(call) || (!call["id"] && !call["extra_content"])) return call;
    const id = textAt(call, "id");
    const known = ids.get(id) ?? signed(call);
    ids.set(id, known);
    return known === id ? call : { ...call, id: known };
  };
  return {
    hear(message) {
      for (const detail of recordsAt(message, "reasoning_details")) {
        const data = textAt(detail, "data");
        if (detail["format"] === FORMAT && data !== "") beside.set(textAt(detail, "id"), data);
      }
    },
    sign: (calls) => calls.map(sign),
  };
};

/** A past message with the signatures that its calls came with. `wire`: what it is without them. */
export const withSignatures = (message: ChatMessage, wire: WireBody): WireBody => {
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  const found = calls.map(({ id }) => splitSignature(id));
  if (!found.some(({ google, openrouter }) => google ?? openrouter)) return wire;
  const sent = recordsAt(wire, "tool_calls");
  const details = found.flatMap(({ openrouter }, at) =>
    openrouter === undefined ? [] : [besideCalls(textAt(sent[at], "id"), openrouter)],
  );
  return {
    ...wire,
    tool_calls: sent.map((call, at) => ({ ...call, ...(found[at]!.google && atCall(found[at]!.google)) })),
    ...(details.length > 0 && { reasoning_details: details }),
  };
};

/** In both of the fields that servers have for it. Of parallel calls only the first has one. */
const withPlaceholder = (message: WireBody): WireBody => {
  const [first, ...others] = recordsAt(message, "tool_calls").map(({ extra_content: _, ...call }) => call);
  if (first === undefined) return message;
  return {
    ...message,
    tool_calls: [{ ...first, ...atCall(FOREIGN_SIGNATURE) }, ...others],
    reasoning_details: [besideCalls(textAt(first, "id"), FOREIGN_SIGNATURE)],
  };
};

export const withForeignSignatures = (messages: readonly WireBody[]): WireBody[] => messages.map(withPlaceholder);

export const withMissingSignatures = (messages: readonly WireBody[]): WireBody[] =>
  messages.map((message) =>
    "reasoning_details" in message || recordsAt(message, "tool_calls").some(isSigned) ? message : withPlaceholder(message),
  );
