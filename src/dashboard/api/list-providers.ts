/** Providers for the dashboard: where they are configured, and the health of their models. */

import { searchTargetsOf } from "../../catalog/media-targets.ts";
import { toIso } from "../../lib/clock.ts";
import { ownValue } from "../../lib/own-value.ts";
import type { Platform } from "../../platform.ts";
import type { HealthReport } from "../../providers/health/model-breaker.ts";
import { readSearchOrder, readStoredProviders } from "../../providers/stored-settings.ts";
import type { ProviderRow, ProvidersAnswer, TargetHealth } from "../wire.ts";

export const listProviders = async (platform: Platform): Promise<ProvidersAnswer> => {
  const fixed = platform.config.file.search;
  return {
    providers: await providerRows(platform),
    search_order: searchTargetsOf({ search: fixed ?? readSearchOrder(platform.db) }).map(({ provider }) => provider),
    search_order_fixed: fixed !== undefined,
  };
};

const providerRows = async (platform: Platform): Promise<ProviderRow[]> => {
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
      base_url: shown(connection?.baseUrl ?? stored[id]?.base_url ?? entry?.baseUrl ?? null),
      key_ends: (connection?.keys ?? []).map(({ key }) => key.slice(-4)),
      stored_here: stored[id] !== undefined,
      models: catalog.chatModels().filter(({ provider }) => provider === id).length,
      health: reports.filter(({ provider }) => provider === id).map(toTarget),
    };
  });
};

/** A name and password in an address are no more for everybody's eyes than a key. */
const shown = (address: string | null): string | null => {
  if (address === null || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === "" && url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
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
