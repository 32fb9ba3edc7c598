/** A platform for a command: it creates no file where there was none. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { closePlatform, createPlatform } from "../create-platform.ts";
import type { Platform } from "../platform.ts";
import { refreshDiscovery } from "../watch-settings.ts";
import { holdForMigration } from "./hold-for-migration.ts";

/** Uses the database, for providers set up in the dashboard; an empty one if there is none yet. */
export const withPlatform = <T>(config: Config, work: (platform: Platform) => Promise<T>): Promise<T> =>
  existsSync(config.databasePath) ? opened(config, work) : withEmptyPlatform(config, work);

/** The same, with the models of local servers; logs errors only. */
export const withModels = <T>(config: Config, work: (platform: Platform) => Promise<T>): Promise<T> =>
  withPlatform({ ...config, logLevel: "error" }, async (platform) => {
    await refreshDiscovery(platform);
    return work(platform);
  });

/** Deletes the file and its folder afterwards. */
export const withEmptyPlatform = async <T>(config: Config, work: (platform: Platform) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-"));
  try {
    return await opened({ ...config, databasePath: join(folder, "empty.db") }, work);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const opened = async <T>(config: Config, work: (platform: Platform) => Promise<T>): Promise<T> => {
  using _lock = holdForMigration(config.databasePath);
  const platform = await createPlatform(config);
  try {
    return await work(platform);
  } finally {
    await closePlatform(platform);
  }
};
