/**
 * Reloads providers and models of `signalbox.yaml` without a restart. A file with a mistake, or a missing one, is reported and changes
 * nothing.
 */

import { checkMediaSettings } from "./catalog/media-targets.ts";
import type { ChatModel } from "./catalog/model.ts";
import { overridesFrom } from "./catalog/overrides-from-settings.ts";
import { readSettingsFile } from "./config/read-settings-file.ts";
import type { SettingsFile } from "./config/settings-file.ts";
import { byServer } from "./history/author.ts";
import { changedFields } from "./history/change.ts";
import { recordChange } from "./history/store.ts";
import { watchFiles } from "./lib/watch-files.ts";
import type { Platform } from "./platform.ts";
import { describeError } from "./process-log.ts";
import { type Connection, connectionsFrom } from "./providers/connections.ts";
import { discoverLocalServers } from "./providers/local/discover-local-servers.ts";
import type { Discovery } from "./providers/local/discovered-model.ts";
import { readAddedModels, readHiddenModels, readStoredProviders } from "./providers/stored-settings.ts";

/** Returns the function that ends the watch. */
export const watchSettings = (platform: Platform): (() => void) =>
  watchFiles([platform.config.settingsPath], () => reloadSettings(platform));

/** A missing file changes nothing either: it may be in the middle of being replaced, and its providers are in use. */
export const reloadSettings = async (platform: Platform): Promise<void> => {
  const { settingsPath, file: before } = platform.config;
  try {
    await applySettings(platform, { file: readSettingsFile(settingsPath, true) });
    platform.log.info("Settings reloaded", { file: settingsPath });
    await recordReload(platform, before);
  } catch (error) {
    platform.log.error("The settings file cannot be used; what was loaded before stays", { detail: (error as Error).message });
  }
};

/** Tells which settings changed, none of their values: keys and passwords stand among them. */
const recordReload = async ({ db, clock, log, config }: Platform, before: SettingsFile): Promise<void> => {
  const fields = changedFields(before, config.file, () => true);
  try {
    await db.write((sql) => recordChange(sql, byServer(clock.now()), { action: "settings_file.changed", fields }));
  } catch (error) {
    log.error("The history could not tell that the settings were reloaded", describeError(error));
  }
};

/** What takes the place of what was read of the file, and found of local servers, before. */
type Change = { file?: SettingsFile; discovered?: Discovery };

/** Applies file, environment and dashboard settings to catalog and providers. Throws, and changes nothing, on a mistake. */
export const applySettings = async (platform: Platform, change: Change = {}): Promise<void> => {
  const { config, catalog, providers } = platform;
  const stored = await readStoredProviders(platform.db, config);
  const { file, discovered } = { file: config.file, discovered: platform.discovered, ...change };
  const connections = connectionsFrom({ known: catalog.providers(), environment: config.environment, file, stored });
  checkMediaSettings(file);
  catalog.replace({
    ...overridesFrom(file.models, { switchedOff: readHiddenModels(platform.db), added: readAddedModels(platform.db) }),
    discovered: discovered.models,
  });
  const isConfigured = ({ entry }: Connection): boolean => connections.some((known) => known.entry.id === entry.id);
  providers.replace([...connections, ...discovered.connections.filter((found) => !isConfigured(found))]);
  config.file = file;
  platform.discovered = discovered;
};

/**
 * Looks for local servers, and updates catalog and providers if anything about them has changed. The models of a server that has gone stay
 * known: whoever names one is told that it is away, and is answered by others that are named.
 */
export const refreshDiscovery = async (platform: Platform): Promise<void> => {
  const { models: found, connections } = await discoverLocalServers(platform);
  const isGone = ({ id, provider }: ChatModel) =>
    !connections.some(({ entry }) => entry.id === provider) && !found.some((other) => other.id === id);
  const gone = platform.discovered.models.filter(isGone);
  const discovered = { models: [...found, ...gone.map((model): ChatModel => ({ ...model, isAway: true }))], connections };
  if (Bun.deepEquals(discovered, platform.discovered)) return;
  await applySettings(platform, { discovered });
  platform.log.info("Local servers", {
    found: connections.map(({ entry }) => entry.id).join(", ") || "none",
    models: found.length,
  });
};
