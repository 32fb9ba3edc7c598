/** What makes a file of log entries in one format. It leaves in pieces, because a call may hold megabytes. */

import type { LogEntry } from "../wire.ts";

export type Pieces = {
  add(entry: LogEntry): void;
  /** Whether so much was added that it should leave. */
  isFull(): boolean;
  /** The bytes of what was added, which may wait for more to come; after the last entry, all bytes up to the end of the file. */
  take(isLast: boolean): Uint8Array;
};
