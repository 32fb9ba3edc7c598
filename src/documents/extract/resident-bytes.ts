/** How much memory a process holds, as the operating system counts it. */

import { dlopen, ptr } from "bun:ffi";
import { readFileSync } from "node:fs";

/** Resident memory of a process in bytes; undefined if the system does not tell, most likely because it has ended. */
export const residentBytes = (pid: number): number | undefined => {
  try {
    if (process.platform === "linux") return residentIn(readFileSync(`/proc/${pid}/status`, "latin1"));
    if (process.platform === "win32") return residentOnWindows(pid);
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

const QUERY_LIMITED_INFORMATION = 0x1000;
/** PROCESS_MEMORY_COUNTERS: a size and a count of 32 bits, then eight sizes of 64; the second of these is the working set. */
const COUNTERS = 9;
const WORKING_SET = 2;

/** Windows has no program like `ps` that every machine has, so the system is asked directly. */
const residentOnWindows = (pid: number): number | undefined => {
  const { symbols, close } = dlopen("kernel32.dll", {
    OpenProcess: { args: ["u32", "i32", "u32"], returns: "ptr" },
    K32GetProcessMemoryInfo: { args: ["ptr", "ptr", "u32"], returns: "i32" },
    CloseHandle: { args: ["ptr"], returns: "i32" },
  });
  try {
    const handle = symbols.OpenProcess(QUERY_LIMITED_INFORMATION, 0, pid);
    if (handle === null) return undefined;
    const counters = new BigUint64Array(COUNTERS);
    const told = symbols.K32GetProcessMemoryInfo(handle, ptr(counters), counters.byteLength);
    symbols.CloseHandle(handle);
    return told === 0 ? undefined : Number(counters[WORKING_SET]);
  } finally {
    close();
  }
};
