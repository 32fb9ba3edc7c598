/** The model that a media request names. */

import { invalidRequest } from "../api-error.ts";
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
  const ids = models.map((known) => known.id).join(", ");
  throw invalidRequest(`\`model\` must be ${models.length > 1 ? "one of " : ""}${ids}; it was "${name}".`, "model");
};
