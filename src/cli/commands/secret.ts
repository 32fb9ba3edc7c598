/** `signalbox secret rotate`: encrypts the dashboard's provider keys with another secret, all of them or none. */

import { type Environment, readConfig } from "../../config/config.ts";
import { readVariable } from "../../config/read-variable.ts";
import { openDatabase } from "../../database/database.ts";
import { byCommand } from "../../history/author.ts";
import { systemClock } from "../../lib/clock.ts";
import { keyFileOf, nextSealingKey, takeNewKeyFile } from "../../lib/seal.ts";
import { resealStoredKeys } from "../../providers/stored-settings.ts";
import { type Given, tell } from "../command.ts";
import { holdDatabase } from "../hold-database.ts";
import { requireDatabase } from "../with-database.ts";

/** A running server would keep using the old secret. */
export const rotateSecret = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  const { databasePath: path } = config;
  const secret = readVariable(environment, "SIGNALBOX_NEW_SECRET");
  requireDatabase(path);
  using _lock = holdDatabase(path);
  const db = await openDatabase(path, { durability: "full" });
  let providers: string[];
  try {
    const next = await nextSealingKey(secret, path);
    providers = await resealStoredKeys(db, byCommand(systemClock(config.clockOffsetMs).now()), config, next);
  } finally {
    await db.close();
  }
  if (secret === undefined) takeNewKeyFile(path);
  const file = secret === undefined ? keyFileOf(path) : undefined;
  const words = inWords(providers, file, config.secret !== undefined);
  return tell(given, { providers, sealed_with: file ?? "SIGNALBOX_NEW_SECRET" }, words);
};

/** `file`: the new key file, where no new secret was given. */
const inWords = (providers: string[], file: string | undefined, hadSecret: boolean): string => {
  const sealed = providers.length > 0 ? `Sealed again: the keys of ${providers.join(", ")}.` : "No provider's key was stored.";
  if (file === undefined) return `${sealed} Start the server with SIGNALBOX_SECRET set to the new secret.`;
  return `${sealed} The key file is ${file}.${hadSecret ? " Start the server without SIGNALBOX_SECRET." : ""}`;
};
