/**
 * What a model thought before a call, sealed by OpenAI for this account: it goes on from there where it gets it back, and begins anew
 * where it does not. Callers keep nothing of a call but its id, so it travels inside.
 */

import { textAt } from "../../lib/json-at.ts";
import { newToolCallId, splitSignature, withSignature } from "../dialect/tool-call-ids.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";

/** Of all thoughts before one call; more would be a flood. */
const MOST_CHARACTERS = 250_000;
/** Not among the letters of a seal. */
const BETWEEN = "\n";

/** Of a `reasoning` item; empty where it came unsealed. */
export const sealOf = (item: unknown): string => textAt(item, "encrypted_content");

/** The id handed out for a `function_call` item that came after these. */
export const sealedCallId = (item: unknown, seals: readonly string[]): string => {
  const joined = seals.filter((seal) => seal !== "").join(BETWEEN);
  const id = textAt(item, "call_id") || textAt(item, "id") || newToolCallId();
  return withSignature(id, "openai", joined.length > MOST_CHARACTERS ? undefined : joined);
};

/** Without their ids: under these OpenAI would look for what it was told not to keep. */
export const sealedThoughtsIn = (id: string): WireBody[] => {
  const { openai } = splitSignature(id);
  return openai === undefined
    ? []
    : openai.split(BETWEEN).map((seal) => ({ type: "reasoning", summary: [], encrypted_content: seal }));
};
