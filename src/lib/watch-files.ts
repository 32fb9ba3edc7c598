/** Notices that files have changed, and are whole again. */

import { statSync } from "node:fs";

const LOOK_EVERY_MS = 500;

/** Returns the function that ends the watch. A file that has just changed may be half written, so `act` waits until two looks agree. */
export const watchFiles = (paths: readonly string[], act: () => unknown): (() => void) => {
  const stamp = () => paths.map(stampOf).join("\n");
  let known = stamp();
  let latest = known;
  const timer = setInterval(async () => {
    const before = latest;
    latest = stamp();
    if (latest !== before || latest === known) return;
    known = latest;
    await act();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};

const stampOf = (path: string): string => {
  try {
    const found = statSync(path);
    // A pipe has what it has once, at the start.
    if (!found.isFile()) return "no file";
    // Files from an image or a store all have the same time; if a link points to another one, its inode shows it. A file that becomes
    // readable later, as a key does that root writes and then hands over, shows it by the time of its status alone.
    return `${found.ino} ${found.mtimeMs} ${found.ctimeMs} ${found.size}`;
  } catch {
    return "absent";
  }
};
