/** Converts the models section of `signalbox.yaml`, and models added or switched off in the dashboard, to catalog overrides. */

import { SettingError } from "../config/read-setting.ts";
import type { ModelSettings } from "../config/settings-file.ts";
import { parseIso } from "../lib/parse-iso.ts";
import { EMBEDDING_MODELS } from "./embedding-models.ts";
import type { ModelOverride } from "./model-override.ts";

export const overridesFrom = (
  models: readonly ModelSettings[] = [],
  { switchedOff = [], added = [] }: { switchedOff?: readonly string[]; added?: readonly ModelSettings[] } = {},
): { overrides: ModelOverride[]; hidden: string[] } => ({
  hidden: [
    ...models.filter(({ enabled }) => enabled === false).map(({ id }) => id),
    ...switchedOff.filter((id) => !isSetInFile(models, id)),
  ],
  overrides: [...requireSound(models), ...added.filter(({ id }) => !models.some((model) => model.id === id))].map((model) => ({
    id: model.id,
    ...(model.provider !== undefined && { provider: model.provider }),
    ...(model.base_model !== undefined && { baseModel: model.base_model }),
    ...(model.upstream_model !== undefined && { upstreamModel: model.upstream_model }),
    ...(model.name !== undefined && { name: model.name }),
    ...(model.context_window !== undefined && { contextWindow: model.context_window }),
    ...(model.max_output_tokens !== undefined && { maxOutputTokens: model.max_output_tokens }),
    ...(model.dimensions !== undefined && { dimensions: model.dimensions }),
    ...(model.abilities !== undefined && { abilities: model.abilities }),
    ...(model.strength !== undefined && { strength: model.strength }),
    ...(model.shutdown_date !== undefined && { shutdownDate: model.shutdown_date }),
    ...quirksOf(model),
    ...pricesOf(model),
  })),
});

/** Throws for rules that the file's schema cannot express. */
const requireSound = (models: readonly ModelSettings[]): readonly ModelSettings[] => {
  const ids = new Set<string>();
  for (const { id, shutdown_date: shutdown } of models) {
    if (ids.has(id)) throw new SettingError(`models: "${id}" is given twice; put both in one.`);
    ids.add(id);
    if (shutdown && parseIso(shutdown) === undefined)
      throw new SettingError(`models: shutdown_date of "${id}" is "${shutdown}"; it may be a day of the calendar, or null.`);
  }
  return models;
};

/** An explicit dialect applies to all calls, with and without tools. */
const quirksOf = ({ first_byte_ms: firstByteMs, dialect }: ModelSettings): Pick<ModelOverride, "quirks"> =>
  firstByteMs === undefined && dialect === undefined
    ? {}
    : { quirks: { ...(firstByteMs !== undefined && { firstByteMs }), ...(dialect && { dialect, toolDialect: dialect }) } };

/** Whether the file sets `enabled` for the model, so that the dashboard cannot change it. */
export const isSetInFile = (models: readonly ModelSettings[] = [], id: string): boolean =>
  models.some((model) => model.id === id && model.enabled !== undefined);

const isForEmbeddings = ({ id, base_model: base, dimensions }: ModelSettings): boolean =>
  dimensions !== undefined || EMBEDDING_MODELS.some((model) => model.id === id || model.id === base);

/** A price needs input and output; one alone is an error, since the other would be a guess. Embedding models have no output. */
const pricesOf = (model: ModelSettings): Pick<ModelOverride, "prices"> => {
  const { input_usd_per_million: input } = model;
  const output = model.output_usd_per_million ?? (input !== undefined && isForEmbeddings(model) ? 0 : undefined);
  if (input === undefined && output === undefined) return {};
  if (input === undefined || output === undefined) {
    throw new SettingError(`models: "${model.id}" needs both input_usd_per_million and output_usd_per_million`);
  }
  return {
    prices: {
      input,
      output,
      ...(model.cached_input_usd_per_million !== undefined && { cachedInput: model.cached_input_usd_per_million }),
      ...(model.cache_write_usd_per_million !== undefined && { cacheWrite: model.cache_write_usd_per_million }),
    },
  };
};
