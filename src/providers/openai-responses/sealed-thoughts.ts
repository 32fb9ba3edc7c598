/**
 * Reasoning before a call, sealed by OpenAI for this account: the model continues from it if it gets it back, and starts over if not.
 * Callers keep only a call's id, so it travels inside the id.
 */

import { textAt } from "../../lib/json-at.ts";
import { newToolCallId, splitSignature, withSignature } from "../dialect/tool-call-ids.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";

/** Most characters of reasoning before one call; more would be a flood. */
const MOST_CHARACTERS = 250_000;
/** Does not occur in a seal. */
const BETWEEN = "\n";

/** The seal of a `reasoning` item; empty if there is none. */
export const sealOf = (item: unknown): string => textAt(item, "encrypted_content");

/** The id given out for a `function_call` item that followed these seals. */
export const sealedCallId = (item: unknown, seals: readonly string[]): string => {
  const joined = seals.filter((seal) => seal !== "").join(BETWEEN);
  const id = textAt(item, "call_id") || textAt(item, "id") || newToolCallId();
  return withSignature(id, "openai", joined.length > MOST_CHARACTERS ? undefined : joined);
};

/** Without item ids: OpenAI would look them up, and it was told not to store them. */
export const sealedThoughtsIn = (id: string): WireBody[] => {
  const { openai } = splitSignature(id);
  return openai === undefined
    ? []
    : openai.split(BETWEEN).map((seal) => ({ type: "reasoning", summary: [], encrypted_content: seal }));
};
