/** Which providers are configured, and how: from the environment, `signalbox.yaml` and the dashboard, in this order of precedence. */

import { type Dialect, isOpenAiDialect, type ProviderEntry } from "../catalog/model.ts";
import { type Environment, SettingError } from "../config/config.ts";
import type { ProviderSettings, SettingsFile } from "../config/settings-file.ts";
import { unquoted } from "../config/unquoted.ts";
import { ownValue } from "../lib/own-value.ts";
import { isKeyless, readBaseUrl } from "./read-base-url.ts";
import { firstSet, fromEnvironment, readHeaders, readKeys, requireSendable } from "./read-credentials.ts";
import { requireAbleProviders } from "./require-able-providers.ts";
import type { ProviderKey } from "./upstream/key-ring.ts";

/** A configured upstream. */
export type Connection = {
  entry: ProviderEntry;
  baseUrl: string;
  keys: ProviderKey[];
  headers: Record<string, string>;
  /** Where its key or address came from, shown to the operator. */
  source: "environment" | "file" | "dashboard" | "discovered";
  /** Found on this machine at an address that nobody configured. */
  isLocal?: boolean;
};

/** Whether it runs on this machine, where a proxy could not reach it: the proxy's loopback is not ours. */
export const isOnThisMachine = ({ isLocal, baseUrl }: Pick<Connection, "isLocal" | "baseUrl">): boolean =>
  isLocal === true || /^(?:127\.\d+\.\d+\.\d+|\[::1\]|(?:[^.]+\.)?localhost)$/.test(new URL(baseUrl).hostname);

/** Whether it is the vendor's own server, not one that stands in for it. */
export const isVendors = ({ baseUrl, entry }: Connection): boolean => baseUrl === entry.baseUrl;

/** Why no server can be called so; undefined if one can. `known`: the catalog's provider of that name. */
export const whyNameIsTaken = (known: ProviderEntry | undefined): string | undefined =>
  known?.dialect === "sandbox" || known?.dialect === "local"
    ? `"${known.id}" is Signalbox's own ${known.name.toLowerCase()}; give your server another name.`
    : undefined;

type ConnectionSources = {
  known: readonly ProviderEntry[];
  environment: Environment;
  file: SettingsFile;
  /** Entered in the dashboard; keys are already decrypted. */
  stored: Record<string, ProviderSettings>;
};

/** Throws SettingError, naming the setting, for an entry that cannot be used. */
export const connectionsFrom = (sources: ConnectionSources): Connection[] => {
  const { file, stored } = sources;
  const ids = new Set([...sources.known.map(({ id }) => id), ...Object.keys(file.providers ?? {}), ...Object.keys(stored)]);
  requireAbleProviders(sources, ids);
  const connections: Connection[] = [];
  for (const id of ids) {
    const known = sources.known.find((entry) => entry.id === id);
    const taken = whyNameIsTaken(known);
    if (taken !== undefined && ownValue(file.providers ?? {}, id)) throw new SettingError(`providers.${id}: ${taken}`);
    if (taken !== undefined) continue;
    const connection = connectionOf(id, known, sources);
    if (connection !== undefined) connections.push(connection);
  }
  return connections;
};

const connectionOf = (id: string, known: ProviderEntry | undefined, sources: ConnectionSources): Connection | undefined => {
  const { environment } = sources;
  const fromFile = ownValue(sources.file.providers ?? {}, id);
  const stored = sources.stored[id];
  if ((fromFile?.enabled ?? stored?.enabled) === false) return undefined;
  const settings = fromFile ?? stored;
  const keySet = firstSet(environment, known?.keyVariables);
  const urlSet = firstSet(environment, known?.baseUrlVariables);
  const keys = keySet
    ? [{ id: `${id}-1`, key: requireSendable(keySet.setting, keySet.text), weight: 1 }]
    : readKeys(id, settings, environment);
  // Checked even without a key, because an address that was set is meant to be used.
  const place = `providers.${id}.base_url`;
  const addressed = settings?.base_url && unquoted(fromEnvironment(settings.base_url, environment, place));
  const given = urlSet?.text ?? addressed ?? known?.baseUrl;
  const baseUrl = given === undefined ? undefined : readBaseUrl(urlSet?.setting ?? place, given, known);
  const needsNoKey = settings?.base_url !== undefined || (urlSet !== undefined && isKeyless(known));
  if (keys.length === 0 && !needsNoKey) return undefined;
  if (baseUrl === undefined)
    throw new SettingError(`providers.${id} has no base_url and is not a provider that Signalbox knows.`);
  return {
    entry: known === undefined ? unknownEntry(id, settings?.dialect) : knownEntry(known, settings?.dialect),
    baseUrl,
    keys,
    headers: readHeaders(id, settings?.headers, environment),
    source: keySet || urlSet ? "environment" : fromFile ? "file" : "dashboard",
  };
};

/** Vendors that speak one of OpenAI's two formats may speak the other. */
const knownEntry = (known: ProviderEntry, dialect: Dialect | undefined): ProviderEntry => {
  if (known.dialect === null || dialect === undefined || dialect === known.dialect) return known;
  if (isOpenAiDialect(known.dialect) && isOpenAiDialect(dialect)) return { ...known, dialect };
  throw new SettingError(`providers.${known.id}.dialect is "${dialect}"; ${known.name} speaks "${known.dialect}".`);
};

const unknownEntry = (id: string, dialect: Dialect = "openai"): ProviderEntry => ({
  id,
  name: id,
  dialect,
  keyVariables: [],
  baseUrlVariables: [],
  services: ["chat", "embeddings", "images", "edits", "speech", "transcription", "rerank", "moderations"],
});
