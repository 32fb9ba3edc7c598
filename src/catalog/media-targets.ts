/** Which upstreams stand behind a neutral media id: the operator's list where there is one, else the catalog's (decisions §9). */

import type { SettingsFile } from "../config/settings-file.ts";
import { type MediaModel, type MediaTarget, SEARCH_TARGETS } from "./media-models.ts";

export const targetsOf = (file: Pick<SettingsFile, "media_models">, model: MediaModel): readonly MediaTarget[] => {
  const own = file.media_models;
  return own !== undefined && Object.hasOwn(own, model.id) ? own[model.id]! : model.targets;
};

export const searchTargetsOf = (file: Pick<SettingsFile, "search">): readonly MediaTarget[] =>
  file.search?.map((provider) => ({ provider, model: "web-search" })) ?? SEARCH_TARGETS;
