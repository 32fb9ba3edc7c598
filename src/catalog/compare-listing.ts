/** Compares the models that a provider lists with those of the catalog, for `models check`. */

import { type ChatModel, namesOf } from "./model.ts";

type Listed = { id: string; shutdownDate?: string };

export type ListingReport = {
  /** Catalog models that the provider does not list. */
  missing: string[];
  /** Listed ids that the catalog does not know. */
  unknown: string[];
  /** Catalog models whose shutdown date differs; null means that one side has none. */
  shutdowns: { id: string; catalog: string | null; provider: string | null }[];
};

/** `models` are those of one provider. Ids are compared without a leading `models/`, as Gemini writes it. Lists are sorted. */
export function compareListing(models: readonly ChatModel[], listed: readonly Listed[]): ListingReport {
  const byId = new Map(listed.map((entry) => [entry.id.replace(/^models\//, ""), entry]));
  const names = new Set(models.flatMap(namesOf));
  // A missing date means something only if the provider lists dates at all.
  const tellsDates = listed.some((entry) => entry.shutdownDate !== undefined);
  const shutdowns = models.flatMap((model) => {
    const entry = namesOf(model)
      .map((name) => byId.get(name))
      .find((found) => found !== undefined);
    const [known, told] = [model.shutdownDate ?? null, entry?.shutdownDate ?? null];
    return entry && tellsDates && known !== told ? [{ id: model.id, catalog: known, provider: told }] : [];
  });
  return {
    missing: models
      .filter((model) => !namesOf(model).some((name) => byId.has(name)))
      .map((model) => model.id)
      .sort(),
    unknown: [...byId.keys()].filter((id) => !names.has(id)).sort(),
    shutdowns,
  };
}
