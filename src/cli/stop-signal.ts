/** The signals that stop the server. */

import { readFileSync } from "node:fs";
import type { Environment } from "../config/config.ts";

/** Resolves with the first signal; a second one exits at once, unless it is that of a closing terminal, which may come twice. */
export const firstStopSignal = (environment: Environment): Promise<void> =>
  new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: string) => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        resolve();
      } else if (signal !== "SIGHUP" && performance.now() - firstAt >= repeatedWithinMs(environment)) process.exit(1);
    };
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, onSignal);
    if (!isHangupIgnored()) process.on("SIGHUP", onSignal);
  });

/**
 * Milliseconds within which further signals count as the first. `bun start` forwards a Ctrl-C that the terminal has already sent to every
 * process of the group, so one press arrives twice, a few milliseconds apart.
 */
const repeatedWithinMs = (environment: Environment): number => (environment["npm_lifecycle_event"] === "start" ? 50 : 0);

/** `nohup` starts programs that way, and a handler would undo it. Only Linux tells; elsewhere the signal is left alone. */
export const isHangupIgnored = (): boolean => {
  try {
    const lastDigit = /^SigIgn:\s*[0-9a-f]*([0-9a-f])$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return lastDigit === undefined || Number.parseInt(lastDigit, 16) % 2 === 1;
  } catch {
    return true;
  }
};
