/** The model that a media request names. */

import { ApiError, invalidRequest } from "../api-error.ts";
import type { MediaTarget } from "../catalog/media-models.ts";
import { ownValue } from "../lib/own-value.ts";

/** Other names of media models, as the operator gave them. */
export type MediaAliases = Readonly<Record<string, string>>;

/** Throws 400 with `param` `model` for one that is not among `models` (decisions §11). */
export const requireModel = <Model extends { id: string }>(
  models: readonly Model[],
  name: string,
  aliases: MediaAliases = {},
): Model => {
  const id = ownValue(aliases, name) ?? name;
  const model = models.find((known) => known.id === id);
  if (model !== undefined) return model;
  throw invalidRequest(
    `\`model\` must be ${models.length > 1 ? "one of " : ""}${idsOf(models)}; it was "${shortened(name)}". ${OTHER_NAMES}`,
    "model",
  );
};

/** LiteLLM writes the vendor before the name (`cohere/rerank-v3.5`). */
export const isNamed = (id: string, model: { id: string; targets: readonly MediaTarget[] }): boolean =>
  model.id === id || model.targets.some(({ provider }) => `${provider}/${model.id}` === id);

/** `what` begins the sentence. The 404 of the endpoints whose clients expect one, which tells what there is. */
export const mediaModelNotFound = (what: string, name: string, models: readonly { id: string }[]): ApiError =>
  new ApiError("not_found", `${what} "${shortened(name)}" was not found; there are ${idsOf(models)}. ${OTHER_NAMES}`, {
    param: "model",
    code: "model_not_found",
  });

/** A form may hold megabytes of it. */
const shortened = (name: string): string => name.slice(0, 100);

const idsOf = (models: readonly { id: string }[]): string => models.map(({ id }) => id).join(", ");

/** For clients that cannot be told our names. */
const OTHER_NAMES = "`media_aliases` in signalbox.yaml gives them other names.";
