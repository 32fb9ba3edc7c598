/** The models that a key may use: ids of the catalog, and `provider/*` for all models of a provider. */

import { type ApiError, permissionDenied } from "../api-error.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { MEDIA_MODELS, type MediaTarget } from "../catalog/media-models.ts";
import { nearestName } from "../config/nearest-name.ts";
import type { SettingsFile } from "../config/settings-file.ts";
import { ownValue } from "../lib/own-value.ts";
import type { ApiKey } from "./api-key.ts";

type Bound = Pick<ApiKey, "models">;

/** A name that the catalog has no more allows nothing. */
export const mayUse = ({ models }: Bound, { id, provider }: { id: string; provider: string }): boolean =>
  models === null || models.includes(id) || models.includes(`${provider}/*`);

/** Those of a media model's upstreams that the key may use; none if it may not use the model. */
export const usableTargets = (key: Bound, id: string, targets: readonly MediaTarget[]): readonly MediaTarget[] =>
  targets.filter(({ provider }) => mayUse(key, { id, provider }));

export const modelDenied = ({ models }: Bound, id: string, param = "model"): ApiError =>
  permissionDenied(`This key may not use the model ${id}; it may use ${models!.join(", ")}.`, param);

/**
 * Names of models as an owner wrote them, as ids, each once. `before`: names that are accepted as they are, because the key has them
 * already. `complain` makes the error for a name that the catalog does not have.
 */
export const readModels = (
  catalog: Catalog,
  { media_aliases: aliases = {} }: Pick<SettingsFile, "media_aliases">,
  names: readonly string[],
  complain: (problem: string) => Error,
  before: readonly string[] = [],
): string[] => {
  const models = [...catalog.chatModels(), ...catalog.embeddingModels()];
  const providers = [...catalog.providers().map(({ id }) => id), ...models.map(({ provider }) => provider)];
  const known = [...[...models, ...MEDIA_MODELS].map(({ id }) => id), ...providers.map((provider) => `${provider}/*`)];
  const idOf = (name: string): string => {
    const model = catalog.findChatModel(name) ?? catalog.findEmbeddingModel(name);
    const id = model?.id ?? ownValue(aliases, name) ?? name;
    if (known.includes(id) || before.includes(id)) return id;
    const nearest = nearestName(name, known);
    throw complain(`"${name}" is no model.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`);
  };
  return [...new Set(names.map(idOf))];
};
