/** `signalbox serve`: checks the settings, opens the file, listens, and stops in good order. */

import { hasAdminPassword } from "../../accounts/operator.ts";
import { type Config, type Environment, readConfig, SettingError } from "../../config/config.ts";
import { unknownVariables } from "../../config/variables.ts";
import type { Db } from "../../database/database.ts";
import { whileOpen } from "../../database/unusable-file.ts";
import type { Given } from "../command.ts";
import { holdDatabase } from "../hold-database.ts";
import { firstStopSignal } from "../stop-signal.ts";
import { firstStart } from "./first-start.ts";

export const serveCommand = async ({ values }: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, values);
  // Before the program itself is loaded, which is most of the start: a signal during the start stops the server once it has begun.
  const stopRequested = firstStopSignal(environment);
  const { startServer } = await import("../../server.ts");
  {
    using _lock = holdDatabase(config.databasePath);
    const server = await whileOpen(config.databasePath, () =>
      startServer(config, {
        beforeListening: ({ db }) => refusePublicWithoutPassword(config, hostNamedBy(values, environment), db),
      }),
    );
    for (const warning of unknownVariables(environment, config.file)) server.platform.log.warn(warning);
    process.stdout.write(await firstStart(server));
    await stopRequested;
    await server.stop();
  }
  // Everything has been written; a lingering thread or timer must not keep the process alive.
  process.exit(0);
};

const LOOPBACK = ["::1", "localhost"];

/** Where the address comes from that is not the default one. */
const hostNamedBy = (values: Given["values"], environment: Environment): string => {
  if (values.host !== undefined) return "--host";
  return environment.HOST?.trim() ? "HOST" : "`host`";
};

const refusePublicWithoutPassword = async (config: Config, setting: string, db: Db) => {
  if (
    LOOPBACK.includes(config.host) ||
    config.host.startsWith("127.") ||
    config.adminPassword !== undefined ||
    (await hasAdminPassword(db))
  )
    return;
  throw new SettingError(
    `${setting} is "${config.host}", a public address, and no admin password is set. Set SIGNALBOX_ADMIN_PASSWORD, or listen on 127.0.0.1.`,
  );
};
