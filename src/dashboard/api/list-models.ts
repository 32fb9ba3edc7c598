/** Chat models for the dashboard: whether they can be called, their abilities and prices. */

import { isServed } from "../../catalog/catalog.ts";
import type { TokenPrices } from "../../catalog/model.ts";
import { isSetInFile } from "../../catalog/overrides-from-settings.ts";
import type { Platform } from "../../platform.ts";
import { readAddedModels } from "../../providers/stored-settings.ts";
import type { ModelRow } from "../wire.ts";

/** Models that are switched off come last. */
export const listModels = ({ catalog, providers, clock, config, db }: Platform): ModelRow[] => {
  const inFile = new Set((config.file.models ?? []).map(({ id }) => id));
  const added = new Map(readAddedModels(db).map((model) => [model.id, model]));
  const configured = new Set(providers.configured());
  const hidden = new Set(catalog.hiddenChatModels());
  return [...catalog.chatModels(), ...hidden].map((model) => ({
    id: model.id,
    name: model.name,
    provider: model.provider,
    callable: !hidden.has(model) && configured.has(model.provider) && isServed(model, clock.now()),
    enabled: !hidden.has(model),
    fixed: isSetInFile(config.file.models, model.id),
    added: inFile.has(model.id) ? null : (added.get(model.id) ?? null),
    context_window: model.contextWindow,
    abilities: [...model.abilities],
    prices: model.prices === undefined ? null : perMillion(model.prices),
    shutdown_date: model.shutdownDate ?? null,
    state: providers.health.state(model.provider, model.upstreamModel),
  }));
};

/** Nano-USD per token equal USD per billion tokens; divided by 1,000 they are USD per million, as vendors publish them. */
const perMillion = (prices: TokenPrices) => ({
  input_usd: prices.inputNanoUsd / 1_000,
  cached_usd: prices.cacheReadNanoUsd / 1_000,
  output_usd: prices.outputNanoUsd / 1_000,
});
