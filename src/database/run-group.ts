/** Runs several units of work in one transaction, one after another; a unit that throws does not affect the others. */

import type { Database as Connection } from "bun:sqlite";
import type { Sql, UnitSql } from "./unit-sql.ts";

/** A unit's result, once it is in the file; `durable` resolves when it survives a power cut. */
export type Committed<T> = { value: T; durable: Promise<void> };

export type Waiting = {
  work: (sql: Sql) => unknown;
  since: number;
  resolve: (committed: Committed<any>) => void;
  reject: (error: unknown) => void;
};

/** The connection on which groups are written, its SQL, and the statements around it: those of its cache end when it is closed. */
export const writerOn = (connection: Connection, sql: UnitSql) => ({
  connection,
  sql,
  begin: connection.query("BEGIN IMMEDIATE"),
  commit: connection.query("COMMIT"),
  rollbackAll: connection.query("ROLLBACK"),
  savepoint: connection.query("SAVEPOINT unit"),
  release: connection.query("RELEASE unit"),
  rollback: connection.query("ROLLBACK TO unit"),
});
type Writer = ReturnType<typeof writerOn>;

/** Resolves or rejects a unit's promise. */
export type Outcome = (durable: Promise<void>) => void;

/** Runs within every transaction, before its commit. */
export type Hook = (sql: Sql) => void;

/** Runs a group's transaction from after its beginning to its commit. If it throws, nothing of the group is in the file. */
export const runGroup = (writer: Writer, group: readonly Waiting[], hooks: readonly Hook[]): Outcome[] => {
  const { connection, sql, commit, rollbackAll } = writer;
  try {
    const outcomes = runUnits(writer, group);
    for (const hook of hooks) hook(sql);
    commit.run();
    return [...sql.effects.splice(0), ...outcomes];
  } catch (error) {
    sql.effects.length = 0;
    if (connection.inTransaction) rollbackAll.run();
    throw error;
  }
};

/**
 * After a savepoint SQLite copies every page that is changed, so there are none as long as no unit throws: if one does, the transaction
 * begins again, with a savepoint for each.
 */
const runUnits = (writer: Writer, group: readonly Waiting[]): Outcome[] => {
  const { connection, sql, begin, rollbackAll } = writer;
  try {
    return group.map((item) => run(sql, item));
  } catch (error) {
    // A full or failing disk has rolled back the whole transaction already, so the other units fail as well.
    if (!connection.inTransaction) throw error;
    rollbackAll.run();
    sql.effects.length = 0;
    begin.run();
    return group.map((item) => runProtected(writer, item));
  }
};

/** Runs a unit in its own savepoint, so that a throw does not affect the others. */
const runProtected = ({ connection, sql, savepoint, release, rollback }: Writer, item: Waiting): Outcome => {
  const effectsBefore = sql.effects.length;
  savepoint.run();
  try {
    const outcome = run(sql, item);
    release.run();
    return outcome;
  } catch (error) {
    if (!connection.inTransaction) throw error;
    rollback.run();
    release.run();
    sql.effects.length = effectsBefore;
    return () => item.reject(error);
  }
};

const run = (sql: Sql, item: Waiting): Outcome => {
  const value = item.work(sql);
  if (value instanceof Promise) throw new TypeError("A unit of work must not await: the transaction would stay open.");
  return (durable) => item.resolve({ value, durable });
};
