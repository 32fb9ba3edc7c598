/** The model that a media request names. */

import { ApiError, invalidRequest } from "../api-error.ts";
import type { MediaTarget } from "../catalog/media-models.ts";
import { ownValue } from "../lib/own-value.ts";

/** Other names of media models, as the operator gave them. */
export type MediaAliases = Readonly<Record<string, string>>;

type Named = { id: string; targets: readonly MediaTarget[] };

/** Throws 400 with `param` `model` for one that is not among `models` (decisions §11). */
export const requireModel = <Model extends Named>(models: readonly Model[], name: string, aliases?: MediaAliases): Model => {
  const model = findModel(models, name, aliases);
  if (model !== undefined) return model;
  throw invalidRequest(
    `\`model\` must be ${models.length > 1 ? "one of " : ""}${idsOf(models)}; it was "${shortened(name)}". ${OTHER_NAMES}`,
    "model",
  );
};

/** The same with a 404, for the endpoints whose clients expect one; it tells what there is. `what` begins the sentence. */
export const requireListedModel = <Model extends Named>(
  what: string,
  models: readonly Model[],
  name: string,
  aliases?: MediaAliases,
): Model => {
  const model = findModel(models, name, aliases);
  if (model !== undefined) return model;
  throw new ApiError("not_found", `${what} "${shortened(name)}" was not found; there are ${idsOf(models)}. ${OTHER_NAMES}`, {
    param: "model",
    code: "model_not_found",
  });
};

/** LiteLLM writes the vendor before the name (`cohere/rerank-v3.5`). */
const findModel = <Model extends Named>(models: readonly Model[], name: string, aliases: MediaAliases = {}) => {
  const id = ownValue(aliases, name) ?? name;
  return models.find((model) => model.id === id || model.targets.some(({ provider }) => `${provider}/${model.id}` === id));
};

/** A form may hold megabytes of it. */
const shortened = (name: string): string => name.slice(0, 100);

const idsOf = (models: readonly Named[]): string => models.map(({ id }) => id).join(", ");

/** For clients that cannot be told our names. */
const OTHER_NAMES = "`media_aliases` in signalbox.yaml gives them other names.";
