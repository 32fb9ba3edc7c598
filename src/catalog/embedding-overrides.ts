/** The operator's settings of embedding models: changes to the catalog's, and models of their own servers. */

import type { ModelSettings } from "../config/settings-file.ts";
import { given } from "../lib/given.ts";
import { EMBEDDING_MODELS } from "./embedding-models.ts";
import type { EmbeddingModel } from "./model.ts";
import { identityOf, newIdentity, pricesOf, shutdownOf } from "./model-override.ts";

/** Gap: what an embedding model reads if its operator does not say, as most do today. */
const UNKNOWN_INPUT_TOKENS = 8_192;

/** Undefined for an entry that is none: it names neither dimensions nor an embedding model of the catalog. */
export function newEmbeddingModel(override: ModelSettings): EmbeddingModel | undefined {
  const known = EMBEDDING_MODELS.find(({ id, provider }) => id === override.base_model && provider !== "local");
  if (known !== undefined) {
    // Shutdown dates belong to whoever serves it.
    const { shutdownDate: _, ...figures } = known;
    return { ...figures, ...newIdentity(override) };
  }
  const { dimensions } = override;
  if (dimensions === undefined || override.base_model !== undefined) return undefined;
  // A price that is not known is the highest there is, never zero.
  const inputNanoUsd = Math.max(...EMBEDDING_MODELS.map((model) => model.inputNanoUsd));
  return { ...newIdentity(override), dimensions, maxInputTokens: UNKNOWN_INPUT_TOKENS, inputNanoUsd };
}

export function embeddingModel(
  { shutdownDate: knownShutdown, ...base }: EmbeddingModel,
  override: ModelSettings,
): EmbeddingModel {
  const { id, dimensions = base.dimensions } = override;
  if (dimensions !== base.dimensions) throw new Error(`models: "${id}" has ${base.dimensions} dimensions, not ${dimensions}`);
  return {
    ...base,
    ...identityOf(override),
    ...given({
      maxInputTokens: override.context_window,
      inputNanoUsd: pricesOf(override, true)?.inputNanoUsd,
      shutdownDate: shutdownOf(override, base, knownShutdown),
    }),
  };
}
