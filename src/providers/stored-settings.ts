/** Provider and model settings made in the dashboard, kept in the settings table with encrypted keys (decisions §1). */

import { type Config, SettingError } from "../config/config.ts";
import type { ModelSettings, ProviderSettings } from "../config/settings-file.ts";
import type { Db, Sql } from "../database/database.ts";
import { findSetting, putSetting } from "../database/settings.ts";
import { keyFileOf, openSeal, seal, sealingKey, unsealingKey } from "../lib/seal.ts";

const NAME = "providers";

type Stored = Record<string, Omit<ProviderSettings, "keys"> & { sealed?: string }>;

/** Throws if a key was encrypted with another secret: clearly at the start, not at the first call. */
export const readStoredProviders = async (db: Db, config: Config): Promise<Record<string, ProviderSettings>> => {
  const stored = findSetting<Stored>(db, NAME) ?? {};
  const key = await unsealingKey(config.secret, config.databasePath);
  // A provider may be named `constructor`, which every ordinary object has.
  const opened: Record<string, ProviderSettings> = Object.create(null);
  for (const [id, { sealed, ...rest }] of Object.entries(stored)) {
    if (sealed === undefined) opened[id] = rest;
    else {
      const text = await openSeal(key, sealed, purposeOf(id));
      if (text === undefined) throw await sealedOtherwise(id, sealed, config);
      opened[id] = { ...rest, key: text };
    }
  }
  return opened;
};

/** Ids only, which needs no decryption. */
export const storedProviderIds = (sql: Pick<Sql, "get">): string[] => Object.keys(findSetting<Stored>(sql, NAME) ?? {});

const purposeOf = (id: string): string => `provider:${id}`;

const sealedOtherwise = async (id: string, sealed: string, { secret, databasePath }: Config): Promise<SettingError> => {
  const cannot = `The key of ${id} that was typed into the dashboard cannot be read`;
  const file = keyFileOf(databasePath);
  // The file was used until now: nothing is lost, and nothing has to be given up.
  const byFile = await openSeal(await unsealingKey(undefined, databasePath), sealed, purposeOf(id));
  if (secret !== undefined && byFile !== undefined)
    return new SettingError(
      `${cannot} with SIGNALBOX_SECRET: it is sealed with ${file}. Unset SIGNALBOX_SECRET, or run \`signalbox secret rotate\` once with SIGNALBOX_NEW_SECRET in its place.`,
    );
  return new SettingError(
    `${cannot}: ${secret === undefined ? file : "SIGNALBOX_SECRET"} is missing or not the one it was sealed with. Put that back, or give up such keys with \`signalbox providers forget-keys\`.`,
  );
};

/** For operators who have lost the secret. Returns the ids of the providers whose keys were deleted. */
export const forgetStoredKeys = (db: Db, now: number): Promise<string[]> =>
  db.write((sql) => {
    const stored = findSetting<Stored>(sql, NAME) ?? {};
    const forgotten = Object.keys(stored).filter((id) => stored[id]!.sealed !== undefined);
    const left = Object.entries(stored).map(([id, { sealed: _, ...rest }]) => [id, rest]);
    if (forgotten.length > 0) putSetting(sql, NAME, Object.fromEntries(left), now);
    return forgotten;
  });

/**
 * Encrypts all stored keys with another key, in one transaction. Throws, and changes nothing, if one cannot be decrypted; keys already
 * encrypted with `to` are left, so that an interrupted change can be resumed. Returns the ids of the providers that have keys.
 */
export const resealStoredKeys = async (db: Db, config: Config, to: CryptoKey, now: number): Promise<string[]> => {
  const from = await unsealingKey(config.secret, config.databasePath);
  const stored = findSetting<Stored>(db, NAME) ?? {};
  const resealed: Stored = {};
  for (const [id, entry] of Object.entries(stored)) {
    resealed[id] = entry;
    if (entry.sealed === undefined || (await openSeal(to, entry.sealed, purposeOf(id))) !== undefined) continue;
    const text = await openSeal(from, entry.sealed, purposeOf(id));
    if (text === undefined) throw await sealedOtherwise(id, entry.sealed, config);
    resealed[id] = { ...entry, sealed: await seal(to, text, purposeOf(id)) };
  }
  await db.write((sql) => putSetting(sql, NAME, resealed, now));
  return Object.keys(stored).filter((id) => stored[id]!.sealed !== undefined);
};

/** Stores one provider; `undefined` removes it. An absent key keeps the one that is stored. */
export const storeProvider = async (
  db: Db,
  config: Config,
  id: string,
  settings: ProviderSettings | undefined,
  now: number,
): Promise<void> => {
  const sealed =
    settings?.key === undefined
      ? undefined
      : await seal(await sealingKey(config.secret, config.databasePath), settings.key, purposeOf(id));
  await db.write((sql) => {
    const stored = { ...findSetting<Stored>(sql, NAME) };
    if (settings === undefined) delete stored[id];
    else {
      const { key: _, keys: __, ...rest } = settings;
      const kept = sealed ?? stored[id]?.sealed;
      stored[id] = { ...rest, ...(kept !== undefined && { sealed: kept }) };
    }
    putSetting(sql, NAME, stored, now);
  });
};

const SEARCH_ORDER = "search_order";

/** The order of search engines set in the dashboard; signalbox.yaml's `search` takes precedence. */
export const readSearchOrder = (db: Db): string[] | undefined => findSetting<string[]>(db, SEARCH_ORDER);

export const storeSearchOrder = (db: Db, order: readonly string[], now: number): Promise<void> =>
  db.write((sql) => putSetting(sql, SEARCH_ORDER, order, now));

const HIDDEN_MODELS = "hidden_models";

/** Models switched off in the dashboard; `enabled` in signalbox.yaml takes precedence. */
export const readHiddenModels = (db: Db): string[] => findSetting<string[]>(db, HIDDEN_MODELS) ?? [];

export const switchModel = (db: Db, id: string, enabled: boolean, now: number): Promise<void> =>
  db.write((sql) => {
    const others = (findSetting<string[]>(sql, HIDDEN_MODELS) ?? []).filter((other) => other !== id);
    putSetting(sql, HIDDEN_MODELS, enabled ? others : [...others, id], now);
  });

const ADDED_MODELS = "added_models";

/** A chat model added in the dashboard, in the terms of signalbox.yaml. */
export type AddedModel = { id: string; provider: string } & Pick<
  ModelSettings,
  "upstream_model" | "context_window" | "input_usd_per_million" | "output_usd_per_million"
>;

/** Models added in the dashboard; a model of the same id in signalbox.yaml takes precedence. */
export const readAddedModels = (sql: Pick<Sql, "get">): AddedModel[] => findSetting<AddedModel[]>(sql, ADDED_MODELS) ?? [];

/** Adds the model, or replaces the one of its id, in its place. */
export const putModel = (db: Db, model: AddedModel, now: number): Promise<void> =>
  db.write((sql) => {
    const known = readAddedModels(sql);
    const at = known.findIndex(({ id }) => id === model.id);
    putSetting(sql, ADDED_MODELS, at < 0 ? [...known, model] : known.with(at, model), now);
  });

/** False if no model of this id was added in the dashboard. */
export const removeModel = (db: Db, id: string, now: number): Promise<boolean> =>
  db.write((sql) => {
    const known = readAddedModels(sql);
    const left = known.filter((model) => model.id !== id);
    if (left.length < known.length) putSetting(sql, ADDED_MODELS, left, now);
    return left.length < known.length;
  });
