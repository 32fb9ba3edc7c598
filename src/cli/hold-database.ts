/** One process serves a file: a lock beside it names the holder. A holder that is gone no longer counts. */

import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { SettingError } from "../config/config.ts";

/** Returns the release. Throws SettingError while another process serves the file. */
export const holdDatabase = (databasePath: string): (() => void) => {
  const path = `${databasePath}.lock`;
  mkdirSync(dirname(path), { recursive: true });
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, mark(process.pid));
      closeSync(file);
      return () => {
        if (readHolder(path) === mark(process.pid)) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
      const holder = readHolder(path);
      const pid = Number(holder.split(" ")[0]);
      if (pid !== process.pid && isAlive(pid) && holder === mark(pid)) {
        throw new SettingError(`${databasePath} is served by process ${pid} already. Stop it, or name another file with --db.`);
      }
      rmSync(path, { force: true });
    }
  }
  throw new SettingError(`The lock ${path} could not be taken.`);
};

/** Process id and start time: the id alone comes back after a restart of a container. */
const mark = (pid: number): string => `${pid} ${startTimeOf(pid)}`;

const startTimeOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "-";
  } catch {
    return "-";
  }
};

const readHolder = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
};
