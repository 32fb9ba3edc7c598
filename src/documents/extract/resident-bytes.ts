/** How much memory a process holds, as the operating system counts it. */

import { readFileSync } from "node:fs";

/** Resident memory of a process in bytes; undefined if the system does not tell (it has ended, or there is neither /proc nor ps). */
export const residentBytes = (pid: number): number | undefined => {
  try {
    if (process.platform === "linux") return residentIn(readFileSync(`/proc/${pid}/status`, "latin1"));
    const { stdout, success } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
    return success ? Number(stdout.toString()) * 1024 : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Reads `/proc/…/status`, because it counts in kilobytes. `statm` counts in pages, which have 16 kB on some ARM machines (a Raspberry Pi
 * 5): a limit would be four times what it says.
 */
export const residentIn = (status: string): number | undefined => {
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
};
