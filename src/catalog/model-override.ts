/** What an operator says of a model in `signalbox.yaml` or the dashboard, in the catalog's terms. */

import { SettingError } from "../config/read-setting.ts";
import type { ModelSettings } from "../config/settings-file.ts";
import { given } from "../lib/given.ts";
import type { ModelQuirks, TokenPrices } from "./model.ts";
import { nanoUsdPerToken } from "./price.ts";

/** The catalog's date applies to its own upstream; if the operator names another, only they know its date. */
export const shutdownOf = (
  { shutdown_date: shutdownDate, provider, upstream_model: upstreamModel }: ModelSettings,
  base: { provider: string; upstreamModel: string },
  known: string | undefined,
) =>
  shutdownDate === undefined &&
  (provider === undefined || provider === base.provider) &&
  (upstreamModel === undefined || upstreamModel === base.upstreamModel)
    ? known
    : shutdownDate;

export const newIdentity = (override: ModelSettings) => ({
  id: override.id,
  provider: requiredProvider(override),
  upstreamModel: override.upstream_model ?? override.id,
  name: override.name ?? override.id,
});

export const identityOf = ({ provider, upstream_model: upstreamModel, name }: ModelSettings) =>
  given({ provider, upstreamModel, name });

/** An explicit dialect applies to all calls, with and without tools. */
export const quirksOf = ({ first_byte_ms: firstByteMs, dialect }: ModelSettings): ModelQuirks =>
  given({ firstByteMs, dialect, toolDialect: dialect });

/**
 * Undefined if it gives none. A price needs input and output; one alone is an error, since the other would be a guess. Embedding models
 * have no output. Without prices of their own, cached reads and writes cost as much as plain input.
 */
export function pricesOf(override: ModelSettings, isForEmbeddings = false): TokenPrices | undefined {
  const {
    input_usd_per_million: input,
    output_usd_per_million: output = isForEmbeddings && input !== undefined ? 0 : undefined,
  } = override;
  if (input === undefined && output === undefined) return undefined;
  if (input === undefined || output === undefined)
    throw new SettingError(`models: "${override.id}" needs both input_usd_per_million and output_usd_per_million`);
  return {
    inputNanoUsd: nanoUsdPerToken(input),
    cacheReadNanoUsd: nanoUsdPerToken(override.cached_input_usd_per_million ?? input),
    cacheWriteNanoUsd: nanoUsdPerToken(override.cache_write_usd_per_million ?? input),
    outputNanoUsd: nanoUsdPerToken(output),
  };
}

function requiredProvider({ id, provider }: ModelSettings): string {
  if (provider === undefined) throw new Error(`models: "${id}" is not in the catalog, so it needs "provider"`);
  return provider;
}
