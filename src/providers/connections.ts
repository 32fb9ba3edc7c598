/** Which providers are configured, and how: from the environment, `signalbox.yaml` and the dashboard, in this order of precedence. */

import { type Dialect, isOpenAiDialect, type ProviderEntry } from "../catalog/model.ts";
import { type Environment, SettingError } from "../config/config.ts";
import { isAddress, wrongUrl } from "../config/read-setting.ts";
import type { ProviderSettings, SettingsFile } from "../config/settings-file.ts";
import { ownValue } from "../lib/own-value.ts";
import { LOCAL_OPENAI_SERVERS } from "./local/local-servers.ts";
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
  requireKnownProviders(file, ids);
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

/** Refuses models with an unknown provider, which no call could reach. */
const requireKnownProviders = (
  { models = [], media_models: media = {}, documents }: SettingsFile,
  ids: ReadonlySet<string>,
): void => {
  const named = [
    ...models.map(({ id, provider }) => [`models: "${id}"`, provider] as const),
    ...Object.entries(media).flatMap(([id, targets]) => targets.map(({ provider }) => [`media_models.${id}`, provider] as const)),
    ["documents.embedding", documents?.embedding?.provider] as const,
  ];
  for (const [setting, provider] of named) {
    if (provider === undefined || ids.has(provider) || LOCAL_OPENAI_SERVERS.some((server) => server.id === provider)) continue;
    throw new SettingError(
      `${setting} names the provider "${provider}", which is neither in the catalog nor under \`providers\`.`,
    );
  }
};

const connectionOf = (id: string, known: ProviderEntry | undefined, sources: ConnectionSources): Connection | undefined => {
  const { environment } = sources;
  const fromFile = ownValue(sources.file.providers ?? {}, id);
  const stored = sources.stored[id];
  if ((fromFile?.enabled ?? stored?.enabled) === false) return undefined;
  const first = (names: readonly string[] = []) =>
    names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== "");
  const environmentKey = first(known?.keyVariables);
  const environmentUrl = first(known?.baseUrlVariables);
  const settings = fromFile ?? stored;
  const baseUrl = environmentUrl ?? settings?.base_url ?? known?.baseUrl;
  const keys =
    environmentKey !== undefined ? [{ id: `${id}-1`, key: environmentKey, weight: 1 }] : keysOf(id, settings, environment);
  // Checked even without a key, because an address that was set is meant to be used.
  const url = baseUrl === undefined ? undefined : readBaseUrl(id, baseUrl, known, environment);
  const needsNoKey = settings?.base_url !== undefined || (environmentUrl !== undefined && isKeyless(known));
  if (keys.length === 0 && !needsNoKey) return undefined;
  if (url === undefined) throw new SettingError(`providers.${id} has no base_url and is not a provider that Signalbox knows.`);
  const keyVariable = known?.keyVariables.find((name) => environment[name]?.trim());
  for (const { key } of keys) requireSendable(keyVariable ?? `providers.${id}.key`, key);
  return {
    entry: known === undefined ? unknownEntry(id, settings?.dialect) : knownEntry(known, settings?.dialect),
    baseUrl: url.replace(/\/+$/, ""),
    keys,
    headers: headersOf(id, settings?.headers, environment),
    source:
      environmentKey !== undefined || environmentUrl !== undefined
        ? "environment"
        : fromFile !== undefined
          ? "file"
          : "dashboard",
  };
};

const readBaseUrl = (id: string, given: string, known: ProviderEntry | undefined, environment: Environment): string => {
  const url = known?.dialect === "ollama" ? ollamaUrl(given) : isKeyless(known) ? withScheme(given) : given;
  if (isAddress(url)) return url;
  const variable = known?.baseUrlVariables.find((name) => environment[name]?.trim());
  throw wrongUrl(variable ?? `providers.${id}.base_url`, given);
};

/** Local servers and search engines that ask for no key. */
const isKeyless = (known: ProviderEntry | undefined): boolean => known?.dialect === "ollama" || known?.keyVariables.length === 0;

const OLLAMA_PORT = "11434";

/**
 * Parses `OLLAMA_HOST` as Ollama does: scheme, host and port are each optional. The address on which its server listens to all (0.0.0.0)
 * becomes this machine's own.
 */
const ollamaUrl = (given: string): string => {
  const text = given.trim();
  const found = /^(?:(https?):\/\/)?(\[[\da-f:.]*\]|[^\s:/[\]]*)(?::(\d*))?(\/(?!\/).*)?$/i.exec(text);
  if (found === null) return text;
  const [, scheme, host = "", port, path = ""] = found;
  const name = ["", "0.0.0.0", "[::]"].includes(host) ? "127.0.0.1" : host;
  const at = port || (scheme === undefined ? OLLAMA_PORT : "");
  return `${scheme?.toLowerCase() ?? "http"}://${name}${at && `:${at}`}${path}`;
};

const withScheme = (url: string): string => (/^https?:\/\//.test(url) ? url : `http://${url}`);

const keysOf = (id: string, settings: ProviderSettings | undefined, environment: Environment): ProviderKey[] => {
  if (settings?.keys !== undefined && settings.key !== undefined)
    throw new SettingError(`providers.${id} has both \`key\` and \`keys\`; put all into \`keys\`.`);
  const given = settings?.keys ?? (settings?.key === undefined ? [] : [{ key: settings.key }]);
  return given.map(({ key, weight = 1 }: { key: string; weight?: number }, index: number) => ({
    id: `${id}-${index + 1}`,
    key: fromEnvironment(key, environment, `providers.${id}.key`).trim(),
    weight,
  }));
};

const headersOf = (id: string, given: Record<string, string> = {}, environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const setting = `providers.${id}.headers.${name}`;
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new SettingError(`${setting}: "${name}" cannot be the name of a header.`);
      const value = fromEnvironment(text, environment, setting);
      requireSendable(setting, value);
      return [name, value];
    }),
  );

/**
 * Refuses values that no header can carry, which would look like an unreachable provider. The value may be a secret, so it is not shown.
 */
const requireSendable = (what: string, value: string): void => {
  if (/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/.test(value))
    throw new SettingError(`${what} holds a line break or another character that no header can carry.`);
};

/** How other programs' files refer to the environment; here it would be sent as the key. */
const FOREIGN_REFERENCE = /^(?:\$\{(?:env:)?(\w+)\}|\$([A-Z][A-Z0-9_]+)|os\.environ\/(\w+)|env\.([A-Z][A-Z0-9_]+))$/;

const fromEnvironment = (value: string, environment: Environment, setting: string): string => {
  const foreign = FOREIGN_REFERENCE.exec(value.trim())
    ?.slice(1)
    .find((name) => name !== undefined);
  if (foreign !== undefined)
    throw new SettingError(`${setting} is "${value}"; an environment variable is written env:${foreign}.`);
  if (!value.startsWith("env:")) return value;
  const name = value.slice(4).trim();
  const found = environment[name];
  if (found === undefined || found === "")
    throw new SettingError(`${setting} names the environment variable ${name}, which is not set.`);
  return found;
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
  services: ["chat", "embeddings", "images", "speech", "transcription"],
});
