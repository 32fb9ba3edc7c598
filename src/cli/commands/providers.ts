/** `signalbox providers forget-keys`: for operators who have lost the secret of the dashboard's provider keys. */

import { type Environment, readConfig } from "../../config/config.ts";
import { byCommand } from "../../history/author.ts";
import { forgetStoredKeys } from "../../providers/stored-settings.ts";
import { type Given, tell } from "../command.ts";
import { withDatabase } from "../with-database.ts";

export const forgetProviderKeys = async (given: Given, environment: Environment): Promise<number> => {
  const forgotten = await withDatabase(readConfig(environment, given.values), (db, now) => forgetStoredKeys(db, byCommand(now)));
  const words = `Forgotten: the keys of ${forgotten.join(", ")}. Type them into the dashboard anew.`;
  return tell(given, { forgotten }, forgotten.length === 0 ? "No provider's key is stored." : words);
};
