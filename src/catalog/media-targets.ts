/** The upstreams behind a neutral media id: the operator's list if there is one, else the catalog's (decisions §9). */

import { SettingError } from "../config/read-setting.ts";
import type { SettingsFile } from "../config/settings-file.ts";
import {
  type ImageModel,
  MEDIA_MODELS,
  type MediaModel,
  type MediaTarget,
  SEARCH_TARGETS,
  type TranscriptionModel,
} from "./media-models.ts";

/** What is known of an upstream also applies in the operator's list. */
export const targetsOf = (file: Pick<SettingsFile, "media_models">, model: MediaModel): readonly MediaTarget[] => {
  const own = file.media_models;
  if (own === undefined || !Object.hasOwn(own, model.id)) return model.targets;
  return own[model.id]!.map((target) => ({ ...KNOWN.get(`${target.provider} ${target.model}`), ...target }));
};

/** Those that translate speech, each under the name of its model that does. */
export const translatorsOf = (file: Pick<SettingsFile, "media_models">, model: TranscriptionModel): readonly MediaTarget[] =>
  targetsOf(file, model).flatMap((target) => (target.translator === undefined ? [] : [{ ...target, model: target.translator }]));

/** Those that edit pictures, each under the name of its model that does. */
export const editorsOf = (file: Pick<SettingsFile, "media_models">, model: ImageModel): readonly MediaTarget[] =>
  targetsOf(file, model).flatMap((target) => (target.editor === undefined ? [] : [{ ...target, model: target.editor.model }]));

const KNOWN = new Map(
  MEDIA_MODELS.flatMap(({ targets }) => targets).map((target) => [`${target.provider} ${target.model}`, target]),
);

export const searchTargetsOf = (file: Pick<SettingsFile, "search">): readonly MediaTarget[] =>
  file.search?.map((provider) => ({ provider, model: "web-search" })) ?? SEARCH_TARGETS;

/**
 * Throws SettingError for a media model that does not exist, a name that one has already, or a search engine that Signalbox does not speak
 * to.
 */
export const checkMediaSettings = (file: Pick<SettingsFile, "media_models" | "media_aliases" | "search">): void => {
  const ids = MEDIA_MODELS.map(({ id }) => id);
  const unknown = Object.keys(file.media_models ?? {}).find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new SettingError(`media_models names "${unknown}"; it may name ${ids.join(", ")}.`);
  for (const [alias, id] of Object.entries(file.media_aliases ?? {})) {
    if (ids.includes(alias)) throw new SettingError(`media_aliases has "${alias}", which is a media model itself.`);
    if (!ids.includes(id)) throw new SettingError(`media_aliases.${alias} is "${id}"; it may be ${ids.join(", ")}.`);
  }
  const engines = SEARCH_TARGETS.map(({ provider }) => provider);
  const engine = file.search?.find((id) => !engines.includes(id));
  if (engine !== undefined) throw new SettingError(`search names "${engine}"; it may name ${engines.join(", ")}.`);
};
