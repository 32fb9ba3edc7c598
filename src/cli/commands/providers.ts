/** `signalbox providers forget-keys`: for operators who have lost the secret of the dashboard's provider keys. */

import { type Environment, readConfig } from "../../config/config.ts";
import { forgetStoredKeys } from "../../providers/stored-settings.ts";
import { type Given, printJson } from "../command.ts";
import { withDatabase } from "../with-database.ts";

export const forgetProviderKeys = async ({ values }: Given, environment: Environment): Promise<number> => {
  const forgotten = await withDatabase(readConfig(environment, values), forgetStoredKeys);
  if (values.json) printJson({ forgotten });
  else if (forgotten.length === 0) process.stdout.write("No provider's key is stored.\n");
  else process.stdout.write(`Forgotten: the keys of ${forgotten.join(", ")}. Type them into the dashboard anew.\n`);
  return 0;
};
