/** Group commit: combines waiting writes into one transaction. Single writes commit at once; many share commits and syncs. */

import type { Database as Connection } from "bun:sqlite";
import { type Committed, type Hook, type Outcome, runGroup, type Waiting, writerOn } from "./run-group.ts";
import type { Syncs } from "./share-syncs.ts";
import type { Sql, UnitSql } from "./unit-sql.ts";

type GroupCommit = {
  /** See `Db`. */
  commit<T>(work: (sql: Sql) => T): Promise<Committed<T>>;
  onCommit(hook: Hook): void;
  /** Commits what is waiting, without patience for other processes, and resolves once it is durable. */
  drain(): Promise<void>;
};

type GroupCommitOptions = {
  /** How long a group waits for another process that holds the file. */
  patienceMs: number;
  /** Whether this process may hold the file itself, for which a group waits however long it takes. */
  isOwnHold: () => boolean;
  /** Throws if the file is no longer the one that was opened. */
  requireSameFile: () => void;
  /** Called when a group fails as a whole (disk full, file locked). */
  onFailure?: (error: unknown) => void;
};

/** At most this many units of work share a transaction, so that one commit never blocks the serving thread for long. */
const LARGEST_GROUP = 64;
const LEAST_MS_BETWEEN_COMMITS = 5;
const CROWD = 3;
/** How long the serving thread may block on a file that another process holds. */
export const LONGEST_BLOCK_MS = 5;
const LOOK_AGAIN_MS = 10;

export const createGroupCommit = (
  connection: Connection,
  sql: UnitSql,
  log: Syncs,
  { patienceMs, isOwnHold, requireSameFile, onFailure }: GroupCommitOptions,
): GroupCommit => {
  const hooks: Hook[] = [];
  const waiting: Waiting[] = [];
  const writer = writerOn(connection, sql);
  let patience = patienceMs;
  let scheduled = false;
  /** Set when the file is about to be closed. */
  let isOver = false;
  let committedAt = 0;
  /** The last commit had several units, so more are likely to arrive together. */
  let isCrowded = false;

  const refuse = (group: Waiting[], error: unknown): void => {
    onFailure?.(error);
    for (const item of group) item.reject(error);
  };
  /** False if the file is held: the group then waits for its next turn, or is refused if it has waited long enough for another process. */
  const begin = (group: Waiting[]): boolean => {
    try {
      requireSameFile();
      writer.begin.run();
      return true;
    } catch (error) {
      if (isBusy(error) && ((isOwnHold() && !isOver) || performance.now() - group[0]!.since < patience)) {
        waiting.unshift(...group);
        scheduled = true;
        setTimeout(flush, LOOK_AGAIN_MS);
      } else refuse(group, error);
      return false;
    }
  };
  const flush = (): void => {
    scheduled = false;
    const group = waiting.splice(0, LARGEST_GROUP);
    if (group.length === 0 || !begin(group)) return;
    if (waiting.length > 0) schedule();
    let outcomes: Outcome[];
    try {
      outcomes = runGroup(writer, group, hooks);
    } catch (error) {
      refuse(group, error);
      return;
    }
    committedAt = performance.now();
    isCrowded = group.length >= CROWD;
    const durable = log.sync();
    for (const tell of outcomes) tell(durable);
    void durable
      .catch((error) => onFailure?.(error))
      .then(() => {
        if (waiting.length > 0) schedule();
      });
  };
  const schedule = (): void => {
    // The next sync has to wait for the running one anyway, so what arrives meanwhile may share its commit.
    if (scheduled || (log.isBusy() && waiting.length < LARGEST_GROUP)) return;
    scheduled = true;
    const pause = committedAt + LEAST_MS_BETWEEN_COMMITS - performance.now();
    if (!isCrowded || pause <= 0 || waiting.length >= LARGEST_GROUP) setImmediate(flush);
    else setTimeout(flush, pause);
  };

  return {
    commit: (work) =>
      new Promise((resolve, reject) => {
        if (isOver) return reject(new Error("The database is closed."));
        waiting.push({ work, since: performance.now(), resolve, reject });
        schedule();
      }),
    onCommit: (hook) => void hooks.push(hook),
    drain: async () => {
      patience = 0;
      isOver = true;
      while (waiting.length > 0) flush();
      await log.sync();
    },
  };
};

const isBusy = (error: unknown): boolean => String((error as { code?: string }).code ?? "").startsWith("SQLITE_BUSY");
