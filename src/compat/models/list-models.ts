/** The models that a caller can name, in OpenAI's format plus what the catalog knows. */

import type { Caller } from "../../accounts/authenticate.ts";
import { mayUse, usableTargets } from "../../accounts/key-models.ts";
import { isServed } from "../../catalog/catalog.ts";
import { PRICES_AS_OF } from "../../catalog/chat-models.ts";
import { MEDIA_MODELS, type MediaModel, unitPriceOf } from "../../catalog/media-models.ts";
import { targetsOf } from "../../catalog/media-targets.ts";
import { toUsd } from "../../lib/money.ts";
import type { Platform } from "../../platform.ts";
import { MEDIA_SERVICES } from "../../providers/provider.ts";

/** OpenAI's format requires a creation time; this is when the catalog was last checked. */
const CREATED = Math.floor(Date.parse(PRICES_AS_OF) / 1000);

/** `auto` is listed if there is a chat model for it to choose. */
export const listModels = (platform: Platform, { mode, key }: Pick<Caller, "mode" | "key">) => {
  const { catalog, providers, clock } = platform;
  const chat = catalog
    .chatModels()
    .filter(
      (model) => mayUse(key, model) && isServed(model, clock.now()) && providers.find(mode, model.provider)?.chat !== undefined,
    )
    .map((model) => ({
      ...headOf(model, "chat"),
      context_window: model.contextWindow,
      // The name that clients of OpenRouter look for.
      context_length: model.contextWindow,
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
        mayUse(key, model) &&
        (model.provider === "local" ||
          (isServed(model, clock.now()) && providers.find(mode, model.provider)?.embed !== undefined)),
    )
    .map((model) => ({
      ...headOf(model, "embedding"),
      dimensions: model.dimensions,
      pricing: { input_usd_per_million: model.inputNanoUsd / 1_000 },
      shutdown_date: model.shutdownDate ?? null,
    }));
  return [
    ...(key.models === null || chat.length > 0
      ? [headOf({ id: "auto", provider: "signalbox", name: "Routed by Signalbox" }, "chat")]
      : []),
    ...chat,
    ...embedding,
    ...listMedia(platform, { mode, key }),
  ];
};

export type ListedModel = ReturnType<typeof listModels>[number];

/** Media models with a configured upstream; the first of these is the owner. */
const listMedia = ({ config, providers }: Platform, { mode, key }: Pick<Caller, "mode" | "key">) =>
  MEDIA_MODELS.flatMap((model) => {
    const targets = usableTargets(key, model.id, targetsOf(config.file, model));
    const target = targets.find(({ provider }) => providers.find(mode, provider)?.[MEDIA_SERVICES[model.kind]]);
    if (target === undefined) return [];
    const { nanoUsd, unit } = unitPriceOf(model);
    return [{ ...headOf({ ...model, provider: target.provider }, model.kind), pricing: { usd: toUsd(nanoUsd), unit } }];
  });

type ModelType = "chat" | "embedding" | MediaModel["kind"];

const headOf = ({ id, provider, name }: { id: string; provider: string; name: string }, type: ModelType) => ({
  id,
  object: "model" as const,
  created: CREATED,
  owned_by: provider,
  display_name: name,
  type,
});
