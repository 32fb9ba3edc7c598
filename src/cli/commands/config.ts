/** `signalbox config schema` and `config check`. */

import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { createCatalog } from "../../catalog/catalog.ts";
import { checkMediaSettings } from "../../catalog/media-targets.ts";
import { overridesFrom } from "../../catalog/overrides-from-settings.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import { settingsSchema } from "../../config/settings-schema.ts";
import { unknownVariables } from "../../config/variables.ts";
import { sqlOf } from "../../database/database.ts";
import { openOrExplain } from "../../database/unusable-file.ts";
import { connectionsFrom } from "../../providers/connections.ts";
import { storedProviderIds } from "../../providers/stored-settings.ts";
import { readTls } from "../../tls-files.ts";
import { type Given, printJson, tell } from "../command.ts";

export const printSchema = async (): Promise<number> => printJson(settingsSchema());

export const checkConfig = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  checkMediaSettings(config.file);
  if (config.tls) readTls(config.tls);
  const catalog = createCatalog(overridesFrom(config.file.models));
  const connections = connectionsFrom({
    known: catalog.providers(),
    environment,
    file: config.file,
    stored: Object.fromEntries(providersTypedIn(config.databasePath).map((id) => [id, {}])),
  });
  const found = connections.map(({ entry, source }) => ({ provider: entry.id, source }));
  for (const warning of unknownVariables(environment, config.file)) process.stderr.write(`signalbox: ${warning}\n`);
  const names = found.map(({ provider }) => provider).join(", ") || "none";
  return tell(
    given,
    { ok: true, settings_file: config.settingsPath, providers: found },
    `The settings are fine. Providers: ${names}.`,
  );
};

/** Providers set up in the dashboard may be referenced too. The database is only read: a check must not migrate it. */
const providersTypedIn = (databasePath: string): string[] => {
  if (!existsSync(databasePath)) return [];
  return openOrExplain(databasePath, () => {
    using database = new Database(databasePath, { readonly: true });
    return storedProviderIds(sqlOf(database));
  });
};
