/** The models a caller can name, in OpenAI's form with what else the catalog knows. */

import type { Mode } from "../accounts/api-key.ts";
import { isServed } from "../catalog/catalog.ts";
import { PRICES_AS_OF } from "../catalog/chat-models.ts";
import type { Platform } from "../platform.ts";

/** Vendors give creation times of their own; this is when the catalog was last checked. */
const CREATED = Math.floor(Date.parse(PRICES_AS_OF) / 1000);

export const listModels = (platform: Platform, mode: Mode) => {
  const { catalog, providers, clock } = platform;
  const chat = catalog
    .chatModels()
    .filter((model) => isServed(model, clock.now()) && providers.find(mode, model.provider)?.chat !== undefined)
    .map((model) => ({
      id: model.id,
      object: "model" as const,
      created: CREATED,
      owned_by: model.provider,
      display_name: model.name,
      type: "chat",
      context_window: model.contextWindow,
      max_output_tokens: model.maxOutputTokens,
      abilities: model.abilities,
      pricing: model.prices
        ? {
            input_usd_per_million: model.prices.inputNanoUsd / 1_000,
            cached_input_usd_per_million: model.prices.cacheReadNanoUsd / 1_000,
            output_usd_per_million: model.prices.outputNanoUsd / 1_000,
          }
        : null,
      shutdown_date: model.shutdownDate ?? null,
    }));
  const embedding = catalog
    .embeddingModels()
    .filter(
      (model) =>
        model.provider === "local" || (isServed(model, clock.now()) && providers.find(mode, model.provider)?.embed !== undefined),
    )
    .map((model) => ({
      id: model.id,
      object: "model" as const,
      created: CREATED,
      owned_by: model.provider,
      display_name: model.name,
      type: "embedding",
      dimensions: model.dimensions,
      pricing: { input_usd_per_million: model.inputNanoUsd / 1_000 },
      shutdown_date: model.shutdownDate ?? null,
    }));
  const auto = {
    id: "auto",
    object: "model" as const,
    created: CREATED,
    owned_by: "signalbox",
    display_name: "Routed by Signalbox",
    type: "chat",
  };
  return [auto, ...chat, ...embedding];
};
