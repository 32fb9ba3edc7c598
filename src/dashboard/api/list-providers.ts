/** Providers and models for the dashboard: where they are configured, their health and prices. */

import { isServed } from "../../catalog/catalog.ts";
import { searchTargetsOf } from "../../catalog/media-targets.ts";
import type { TokenPrices } from "../../catalog/model.ts";
import { isSetInFile } from "../../catalog/overrides-from-settings.ts";
import { toIso } from "../../lib/clock.ts";
import { ownValue } from "../../lib/own-value.ts";
import type { Platform } from "../../platform.ts";
import type { HealthReport } from "../../providers/health/model-breaker.ts";
import { readAddedModels, readSearchOrder, readStoredProviders } from "../../providers/stored-settings.ts";
import type { ModelRow, ProviderRow, ProvidersAnswer, TargetHealth } from "../wire.ts";

export const describeProviders = async (platform: Platform): Promise<ProvidersAnswer> => {
  const fixed = platform.config.file.search;
  return {
    providers: await listProviders(platform),
    search_order: searchTargetsOf({ search: fixed ?? readSearchOrder(platform.db) }).map(({ provider }) => provider),
    search_order_fixed: fixed !== undefined,
  };
};

const listProviders = async (platform: Platform): Promise<ProviderRow[]> => {
  const { catalog, providers, db, config } = platform;
  const stored = await readStoredProviders(db, config);
  const reports = providers.health.snapshot();
  const ids = new Set([...catalog.providers().map(({ id }) => id), ...providers.configured(), ...Object.keys(stored)]);
  ids.delete("sandbox");
  ids.delete("local");
  return [...ids].map((id) => {
    const connection = providers.connections().find(({ entry }) => entry.id === id);
    const entry = connection?.entry ?? catalog.provider(id);
    const inFile = ownValue(config.file.providers ?? {}, id);
    return {
      id,
      name: entry?.name ?? id,
      services: [...(entry?.services ?? [])],
      key_variables: [...(entry?.keyVariables ?? [])],
      configured: connection !== undefined,
      enabled: (inFile?.enabled ?? stored[id]?.enabled) !== false,
      source: connection?.source ?? null,
      base_url: connection?.baseUrl ?? stored[id]?.base_url ?? entry?.baseUrl ?? null,
      key_ends: (connection?.keys ?? []).map(({ key }) => key.slice(-4)),
      stored_here: stored[id] !== undefined,
      models: catalog.chatModels().filter(({ provider }) => provider === id).length,
      health: reports.filter(({ provider }) => provider === id).map(toTarget),
    };
  });
};

const toTarget = (report: HealthReport): TargetHealth => ({
  model: report.model,
  state: report.state,
  available_at: report.availableAtMs === 0 ? null : toIso(report.availableAtMs),
  p50_latency_ms: report.p50LatencyMs ?? null,
  p95_latency_ms: report.p95LatencyMs ?? null,
  error_rate: report.errorRate,
  calls: report.calls,
});

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
