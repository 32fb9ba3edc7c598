/** Provider and model settings made in the dashboard, kept in the settings table with encrypted keys (decisions §1). */

import { type Config, SettingError } from "../config/config.ts";
import type { ModelSettings, ProviderSettings } from "../config/settings-file.ts";
import type { Db, Sql } from "../database/database.ts";
import { findSetting, putSetting } from "../database/settings.ts";
import type { Author } from "../history/author.ts";
import { changedFields, type Fields } from "../history/change.ts";
import { recordChange } from "../history/store.ts";
import { ownValue } from "../lib/own-value.ts";
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
export const forgetStoredKeys = (db: Db, by: Author): Promise<string[]> =>
  db.write((sql) => {
    const stored = findSetting<Stored>(sql, NAME) ?? {};
    const forgotten = Object.keys(stored).filter((id) => stored[id]!.sealed !== undefined);
    const left = Object.entries(stored).map(([id, { sealed: _, ...rest }]) => [id, rest]);
    if (forgotten.length > 0) putSetting(sql, NAME, Object.fromEntries(left), by.atMs);
    for (const id of forgotten) recordProvider(sql, by, id, { before: stored[id], after: { ...stored[id], sealed: undefined } });
    return forgotten;
  });

/**
 * Encrypts all stored keys with another key, in one transaction. Throws, and changes nothing, if one cannot be decrypted; keys already
 * encrypted with `to` are left, so that an interrupted change can be resumed. Returns the ids of the providers that have keys.
 */
export const resealStoredKeys = async (db: Db, by: Author, config: Config, to: CryptoKey): Promise<string[]> => {
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
  await db.write((sql) => {
    putSetting(sql, NAME, resealed, by.atMs);
    recordChange(sql, by, { action: "secret.rotated" });
  });
  return Object.keys(stored).filter((id) => stored[id]!.sealed !== undefined);
};

/** Stores one provider; `undefined` removes it. An absent key keeps the one that is stored. */
export const storeProvider = async (
  db: Db,
  by: Author,
  config: Config,
  id: string,
  settings: ProviderSettings | undefined,
): Promise<void> => {
  const sealed =
    settings?.key === undefined
      ? undefined
      : await seal(await sealingKey(config.secret, config.databasePath), settings.key, purposeOf(id));
  await db.write((sql) => {
    const stored = { ...findSetting<Stored>(sql, NAME) };
    const before = ownValue(stored, id);
    if (settings === undefined) delete stored[id];
    else {
      const { key: _, keys: __, ...rest } = settings;
      const kept = sealed ?? stored[id]?.sealed;
      stored[id] = { ...rest, ...(kept !== undefined && { sealed: kept }) };
    }
    putSetting(sql, NAME, stored, by.atMs);
    recordProvider(sql, by, id, { before, after: ownValue(stored, id) });
  });
};

type Told = Stored[string] | undefined;

const recordProvider = (sql: Sql, by: Author, id: string, { before, after }: { before: Told; after: Told }): void =>
  recordChange(sql, by, {
    action: after === undefined ? "provider.deleted" : "provider.changed",
    id,
    fields: changedFields(told(before), told(after), (path) => SECRET.includes(path)),
  });

const SECRET = ["key", "credentials"];

/** The sealed key stands for the key: sealed anew, it is another. */
const told = (settings: Told): object => {
  if (settings === undefined) return {};
  const { sealed, base_url: url, ...rest } = settings;
  return { ...rest, key: sealed, ...(url !== undefined && withoutCredentials(url)) };
};

/** An address may carry a password, and that of a provider that is switched off may be anything. */
const withoutCredentials = (url: string): object => {
  if (!URL.canParse(url)) return { credentials: url };
  const { origin, pathname, username, password, search, hash } = new URL(url);
  return { base_url: origin + pathname, credentials: username + password + search + hash || undefined };
};

const SEARCH_ORDER = "search_order";

/** The order of search engines set in the dashboard; signalbox.yaml's `search` takes precedence. */
export const readSearchOrder = (db: Db): string[] | undefined => findSetting<string[]>(db, SEARCH_ORDER);

export const storeSearchOrder = (db: Db, by: Author, order: readonly string[]): Promise<void> =>
  db.write((sql) => {
    const fields = changedFields({ order: findSetting(sql, SEARCH_ORDER) }, { order });
    putSetting(sql, SEARCH_ORDER, order, by.atMs);
    recordChange(sql, by, { action: "search.order_changed", fields });
  });

const HIDDEN_MODELS = "hidden_models";

/** Models switched off in the dashboard; `enabled` in signalbox.yaml takes precedence. */
export const readHiddenModels = (db: Db): string[] => findSetting<string[]>(db, HIDDEN_MODELS) ?? [];

export const switchModel = (db: Db, by: Author, id: string, enabled: boolean): Promise<void> =>
  db.write((sql) => {
    const wasEnabled = putSwitch(sql, by, id, enabled);
    recordModel(sql, by, "changed", id, changedFields({ enabled: wasEnabled }, { enabled }));
  });

/** Whether it was on before. */
const putSwitch = (sql: Sql, { atMs }: Author, id: string, enabled: boolean): boolean => {
  const hidden = findSetting<string[]>(sql, HIDDEN_MODELS) ?? [];
  const others = hidden.filter((other) => other !== id);
  putSetting(sql, HIDDEN_MODELS, enabled ? others : [...others, id], atMs);
  return !hidden.includes(id);
};

const recordModel = (sql: Sql, by: Author, verb: "created" | "changed" | "deleted", id: string, fields: Fields): void =>
  recordChange(sql, by, { action: `model.${verb}`, id, fields });

const ADDED_MODELS = "added_models";

/** A chat model added in the dashboard, in the terms of signalbox.yaml. */
export type AddedModel = { id: string; provider: string } & Pick<
  ModelSettings,
  "upstream_model" | "context_window" | "input_usd_per_million" | "output_usd_per_million"
>;

/** Models added in the dashboard; a model of the same id in signalbox.yaml takes precedence. */
export const readAddedModels = (sql: Pick<Sql, "get">): AddedModel[] => findSetting<AddedModel[]>(sql, ADDED_MODELS) ?? [];

/** Adds the model, or replaces the one of its id, in its place. */
export const putModel = (db: Db, by: Author, model: AddedModel): Promise<void> =>
  db.write((sql) => {
    const known = readAddedModels(sql);
    const at = known.findIndex(({ id }) => id === model.id);
    putSetting(sql, ADDED_MODELS, at < 0 ? [...known, model] : known.with(at, model), by.atMs);
    recordModel(sql, by, at < 0 ? "created" : "changed", model.id, changedFields(known[at] ?? {}, model));
  });

/** Removes it, and that it was switched off: a model that is added later under the same id is on. False if no such model was added. */
export const removeModel = (db: Db, by: Author, id: string): Promise<boolean> =>
  db.write((sql) => {
    const known = readAddedModels(sql);
    const removed = known.find((model) => model.id === id);
    if (removed === undefined) return false;
    putSetting(
      sql,
      ADDED_MODELS,
      known.filter((model) => model !== removed),
      by.atMs,
    );
    putSwitch(sql, by, id, true);
    recordModel(sql, by, "deleted", id, changedFields(removed, {}));
    return true;
  });
