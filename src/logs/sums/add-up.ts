/** Brings the sums up to date with the log: each second, and for everybody who is about to read them. */

import type { Db } from "../../database/database.ts";
import { isUnwritable } from "../../database/unwritable.ts";
import { areCallsListed, sumSomeCalls } from "./sums-store.ts";

/** Few enough that a batch blocks the serving thread for less than a millisecond. */
const AT_ONCE = 50;

/** If the disk cannot be written, the sums stay as they are, so that they can still be read. */
export const addUpCalls = async (db: Db): Promise<void> => {
  try {
    while (areCallsListed(db)) await db.write((sql) => sumSomeCalls(sql, AT_ONCE));
  } catch (error) {
    if (!isUnwritable(error)) throw error;
  }
};
