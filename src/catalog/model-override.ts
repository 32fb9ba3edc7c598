/** What an operator says of a model in `signalbox.yaml` or the dashboard, and what of it holds for models of every kind. */

import type { Ability, ModelQuirks } from "./model.ts";
import type { TextTask } from "./task-type.ts";

/** USD per million tokens. Without them, cached reads and writes cost as much as plain input. */
export type PricesUsd = { input: number; cachedInput?: number; cacheWrite?: number; output: number };

export type ModelOverride = {
  id: string;
  /** Required for a new entry. */
  provider?: string;
  /** For a new entry: the built-in model that it is, served elsewhere. */
  baseModel?: string;
  upstreamModel?: string;
  name?: string;
  contextWindow?: number;
  maxOutputTokens?: number;
  /** Numbers of a vector: the entry is an embedding model. */
  dimensions?: number;
  prices?: PricesUsd;
  abilities?: readonly Ability[];
  /** 0-1 for single tasks; the others keep their values. */
  strength?: Partial<Record<TextTask, number>>;
  /** ISO date; null removes a known one. */
  shutdownDate?: string | null;
  quirks?: ModelQuirks;
};

/** The catalog's date applies to its own upstream; if the operator names another, only they know its date. */
export const shutdownOf = (
  { shutdownDate, provider, upstreamModel }: ModelOverride,
  base: { provider: string; upstreamModel: string },
  known: string | undefined,
) =>
  shutdownDate === undefined &&
  (provider === undefined || provider === base.provider) &&
  (upstreamModel === undefined || upstreamModel === base.upstreamModel)
    ? known
    : shutdownDate;

export const newIdentity = (override: ModelOverride) => ({
  id: override.id,
  provider: requiredProvider(override),
  upstreamModel: override.upstreamModel ?? override.id,
  name: override.name ?? override.id,
});

export const identity = (override: ModelOverride) => given(override, "provider", "upstreamModel", "name");

/** The named members that the override sets, so that absent ones leave the known value alone. */
export function given<Key extends keyof ModelOverride>(override: ModelOverride, ...keys: Key[]) {
  const set = keys.filter((key) => override[key] !== undefined).map((key) => [key, override[key]]);
  return Object.fromEntries(set) as { [K in Key]?: NonNullable<ModelOverride[K]> };
}

function requiredProvider({ id, provider }: ModelOverride): string {
  if (provider === undefined) throw new Error(`models: "${id}" is not in the catalog, so it needs "provider"`);
  return provider;
}
