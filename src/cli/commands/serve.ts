/** `signalbox serve`: checks the settings, opens the file, listens, and stops in good order. */

import { type Config, type Environment, readConfig, SettingError } from "../../config/config.ts";
import type { Db } from "../../database/database.ts";
import { startServer } from "../../server.ts";
import { readWords } from "../command.ts";
import { holdDatabase } from "../hold-database.ts";
import { firstStart } from "./first-start.ts";

export const serveCommand = async (words: string[], environment: Environment): Promise<number> => {
  const { values } = readWords(words, { host: { type: "string" }, port: { type: "string" } });
  const config = readConfig(environment, values);
  const release = holdDatabase(config.databasePath);
  try {
    const server = await startServer(config, { beforeListening: (platform) => refusePublicWithoutPassword(config, platform.db) });
    // Before the program reports that it is ready, because a signal may follow at once.
    const stopped = untilStopped(server.stop, repeatedWithinMs(environment));
    process.stdout.write(await firstStart(server));
    await stopped;
  } finally {
    release();
  }
  // Everything has been written; a lingering thread or timer must not keep the process alive.
  process.exit(0);
};

/**
 * Milliseconds within which further signals count as the first. `bun start` forwards a Ctrl-C that the terminal has already sent to every
 * process of the group, so one press arrives twice, a few milliseconds apart.
 */
const repeatedWithinMs = (environment: Environment): number => (environment["npm_lifecycle_event"] === "start" ? 50 : 0);

/** The first signal drains; a second one exits at once. */
const untilStopped = (stop: () => Promise<void>, repeatedWithinMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let stoppingSince: number | undefined;
    const onSignal = () => {
      if (stoppingSince === undefined) {
        stop().then(resolve, reject);
        stoppingSince = performance.now();
      } else if (performance.now() - stoppingSince >= repeatedWithinMs) process.exit(1);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

const refusePublicWithoutPassword = async (config: Config, db: Db) => {
  const { hasAdminPassword } = await import("../../accounts/operator.ts");
  if (
    LOOPBACK.has(config.host) ||
    config.host.startsWith("127.") ||
    config.adminPassword !== undefined ||
    (await hasAdminPassword(db))
  )
    return;
  throw new SettingError(
    `HOST is "${config.host}", a public address, and no admin password is set. Set SIGNALBOX_ADMIN_PASSWORD, or listen on 127.0.0.1.`,
  );
};
