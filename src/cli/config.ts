/** `signalbox config schema` and `config check`. */

import { createCatalog } from "../catalog/catalog.ts";
import { checkMediaSettings } from "../catalog/media-targets.ts";
import { overridesFrom } from "../catalog/overrides-from-settings.ts";
import { type Environment, readConfig } from "../config/config.ts";
import { settingsSchema } from "../config/settings-schema.ts";
import { connectionsFrom } from "../providers/connections.ts";
import { printJson, readWords } from "./command.ts";

export const printSchema = async (words: string[]): Promise<number> => {
  readWords(words, {});
  printJson(settingsSchema());
  return 0;
};

export const checkConfig = async (words: string[], environment: Environment): Promise<number> => {
  const { values } = readWords(words, {});
  const config = readConfig(environment, values);
  checkMediaSettings(config.file);
  const catalog = createCatalog(overridesFrom(config.file.models));
  const connections = connectionsFrom({ known: catalog.providers(), environment, file: config.file.providers ?? {}, stored: {} });
  const found = connections.map(({ entry, source }) => ({ provider: entry.id, source }));
  if (values.json) printJson({ ok: true, settings_file: config.settingsPath, providers: found });
  else process.stdout.write(`The settings are fine. Providers: ${found.map(({ provider }) => provider).join(", ") || "none"}.\n`);
  return 0;
};
