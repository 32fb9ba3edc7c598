/** Whether the model of an embeddings call can read its inputs, and how many tokens they have. */

import { invalidRequest } from "../api-error.ts";
import { mapYielding } from "../lib/map-yielding.ts";
import type { Platform } from "../platform.ts";
import type { EmbeddingInput } from "../providers/provider.ts";
import { countTokens, type EmbeddingDraft, isTokens } from "./embedding-draft.ts";
import type { EmbeddingBody } from "./wire.ts";

export const readInputs = ({ input }: EmbeddingBody): EmbeddingInput[] =>
  typeof input === "string" || typeof input[0] === "number" ? [input as EmbeddingInput] : (input as EmbeddingInput[]);

/** Our estimate may be off by a quarter on prose; within that, the provider decides. */
const ESTIMATE_TOLERANCE = 1.25;

/**
 * Throws 400: token numbers for a model that reads text, a vector longer than the model's, an input longer than it reads. Notes the number
 * of tokens in the draft.
 */
export const checkInputs = async (platform: Platform, draft: EmbeddingDraft): Promise<void> => {
  requireReadable(platform, draft);
  const { inputs, body, model } = draft;
  const { id, maxInputTokens } = model;
  const dimensions = body.dimensions ?? undefined;
  if (dimensions !== undefined && dimensions > model.dimensions)
    throw invalidRequest(`\`dimensions\` of ${id} may be at most ${model.dimensions}; it was ${dimensions}.`, "dimensions");
  if (model.provider === "local" && dimensions !== undefined && dimensions !== model.dimensions)
    throw invalidRequest(`\`dimensions\` of ${id} is ${model.dimensions}; it cannot be changed.`, "dimensions");
  const tokens = await countInputs(draft);
  const longest = tokens.findIndex((count) => count > maxInputTokens * ESTIMATE_TOLERANCE);
  if (longest < 0) return;
  const param = inputs.length === 1 ? "input" : `input.${longest}`;
  throw invalidRequest(
    `\`${param}\` has about ${tokens[longest]} tokens; ${id} reads at most ${maxInputTokens}.`,
    param,
    "context_length_exceeded",
  );
};

/** The tokens of each. */
export const countInputs = async (draft: EmbeddingDraft): Promise<number[]> => {
  const tokens = await mapYielding(draft.inputs, countTokens, draft.signal);
  draft.tokens = tokens.reduce((sum, count) => sum + count, 0);
  return tokens;
};

/** Token ids need a provider that accepts them. */
const requireReadable = (platform: Platform, { caller, model, inputs }: EmbeddingDraft): void => {
  if (!inputs.some(isTokens)) return;
  if (model.provider === "local" || platform.providers.find(caller.mode, model.provider)?.embedsTokens !== true)
    throw invalidRequest(
      `\`input\` as token numbers can be read by models of OpenAI-compatible providers alone; ${model.id} reads text.`,
      "input",
    );
};
