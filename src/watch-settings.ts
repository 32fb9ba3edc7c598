/** Providers and models of `signalbox.yaml` take effect without a restart; a file with a mistake, or none, is reported and changes nothing. */

import { statSync } from "node:fs";
import { checkMediaSettings } from "./catalog/media-targets.ts";
import { overridesFrom } from "./catalog/overrides-from-settings.ts";
import { readSettingsFile } from "./config/read-settings-file.ts";
import type { Platform } from "./platform.ts";
import { connectionsFrom } from "./providers/connections.ts";
import { discoverLocalServers, isSameDiscovery } from "./providers/local/discover-local-servers.ts";
import { readHiddenModels, readStoredProviders } from "./providers/stored-settings.ts";

const LOOK_EVERY_MS = 1_000;

/** Returns the function that ends the watch. */
export const watchSettings = (platform: Platform): (() => void) => {
  const { settingsPath } = platform.config;
  let seen = stampOf(settingsPath);
  const timer = setInterval(async () => {
    const now = stampOf(settingsPath);
    if (now === seen) return;
    seen = now;
    await reloadSettings(platform);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};

/** A file that has gone changes nothing either: it may be on its way back, and the providers in it are in use. */
export const reloadSettings = async (platform: Platform): Promise<void> => {
  const { config, log } = platform;
  const before = config.file;
  try {
    config.file = readSettingsFile(config.settingsPath, true);
    await applySettings(platform);
    log.info("Settings reloaded", { file: config.settingsPath });
  } catch (error) {
    config.file = before;
    log.error("The settings file cannot be used; what was loaded before stays", { detail: (error as Error).message });
  }
};

/** Makes catalog and providers what file, environment and dashboard now say. Throws, and changes nothing, on a mistake. */
export const applySettings = async (platform: Platform): Promise<void> => {
  const { config, catalog, providers } = platform;
  const connections = connectionsFrom({
    known: catalog.providers(),
    environment: config.environment,
    file: config.file,
    stored: await readStoredProviders(platform.db, config),
  });
  checkMediaSettings(config.file);
  catalog.replace({ ...overridesFrom(config.file.models, readHiddenModels(platform.db)), discovered: platform.discovered });
  providers.replace([
    ...connections,
    ...platform.discoveredConnections.filter(({ entry }) => !connections.some((known) => known.entry.id === entry.id)),
  ]);
};

const stampOf = (path: string): string => {
  try {
    // Where files come out of an image or a store, all are of the same second; a link that leads to another one tells by its number.
    const { ino, mtimeMs, size } = statSync(path);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return "absent";
  }
};

/** Looks for local servers, and tells catalog and providers where something came or went. */
export const refreshDiscovery = async (platform: Platform): Promise<void> => {
  const { models, connections } = await discoverLocalServers(platform);
  if (isSameDiscovery(models, platform.discovered)) return;
  platform.discovered = models;
  platform.discoveredConnections = connections;
  await applySettings(platform);
  platform.log.info("Local servers", {
    found: connections.map(({ entry }) => entry.id).join(", ") || "none",
    models: models.length,
  });
};
