/**
 * To connect, the runtime looks a host up on one of its few threads, on which the log is synced too. A silent name server holds that
 * thread for ten seconds and more, so that two such hosts would hold up every answer on a machine of two cores. Therefore one host at a
 * time is looked up on trust; while it is, others must be certain to be answered, or wait.
 */

import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";

const HOSTS_FILE = "/etc/hosts";
const PROBE_MS = 500;

const isInHostsFile = (hostname: string): boolean => {
  try {
    return readFileSync(HOSTS_FILE, "utf8").split(/\s+/).includes(hostname);
  } catch {
    return false;
  }
};

/**
 * Asked over a socket. Any answer will do, even that there is no such host: the system may know it in another way. A new resolver reads
 * the system's current settings and has no answers in its cache.
 */
const isNameServerAnswering = async (hostname: string): Promise<boolean> => {
  try {
    await new Resolver({ timeout: PROBE_MS, tries: 1 }).resolve4(hostname);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ETIMEOUT";
  }
};

/**
 * Returns the function through which connections are made. `connect` looks the host up, and settles when it is connected or cannot be.
 * `answersSoon` tells whether a name server answers for the host.
 */
export const createConnectInTurn = (answersSoon = isNameServerAnswering) => {
  let trusted: { hostname: string; end: Promise<void> } | undefined;
  /** Connections to one host share one lookup. */
  const mayGo = (hostname: string): boolean => trusted === undefined || trusted.hostname === hostname;

  return async (hostname: string, connect: () => Promise<unknown>): Promise<void> => {
    const isCertain = hostname === "localhost" || isIP(hostname) !== 0 || isInHostsFile(hostname);
    if (isCertain || (!mayGo(hostname) && (await answersSoon(hostname)))) {
      await connect();
      return;
    }
    while (!mayGo(hostname)) await trusted?.end;
    const connecting = connect();
    if (trusted === undefined) {
      const end = (): void => {
        trusted = undefined;
      };
      trusted = { hostname, end: connecting.then(end, end) };
    }
    await connecting;
  };
};
