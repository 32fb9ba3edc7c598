/** Runs several units of work in one transaction, one after another; a unit that throws does not affect the others. */

import type { Database as Connection } from "bun:sqlite";
import type { Sql, UnitSql } from "./unit-sql.ts";

/** A unit's result, once it is in the file; `durable` resolves when it survives a power cut. */
export type Committed<T> = { value: T; durable: Promise<void> };

export type Waiting = {
  work: (sql: Sql) => unknown;
  undo: (() => void) | undefined;
  since: number;
  resolve: (committed: Committed<any>) => void;
  reject: (error: unknown) => void;
};

/** The connection on which groups are written, its SQL, and the statements around it. */
export const writerOn = (connection: Connection, sql: UnitSql) => ({
  connection,
  sql,
  begin: connection.prepare("BEGIN IMMEDIATE"),
  commit: connection.prepare("COMMIT"),
  rollbackAll: connection.prepare("ROLLBACK"),
  savepoint: connection.prepare("SAVEPOINT unit"),
  release: connection.prepare("RELEASE unit"),
  rollback: connection.prepare("ROLLBACK TO unit"),
});
type Writer = ReturnType<typeof writerOn>;

/** Resolves or rejects a unit's promise. */
export type Outcome = (durable: Promise<void>) => void;

/** Runs within every transaction, before its commit; what it returns runs once that has succeeded. */
export type Hook = (sql: Sql) => (() => void) | undefined;

/** Runs a group's transaction from after its beginning to its commit. If it throws, nothing of the group is in the file. */
export const runGroup = (writer: Writer, group: readonly Waiting[], hooks: readonly Hook[]): Outcome[] => {
  const { connection, sql, commit, rollbackAll } = writer;
  try {
    const outcomes = runUnits(writer, group);
    sql.settle();
    const committed = hooks.flatMap((hook) => hook(sql) ?? []);
    commit.run();
    return [...committed, ...outcomes];
  } catch (error) {
    sql.forget();
    if (connection.inTransaction) rollbackAll.run();
    throw error;
  }
};

/**
 * Runs the units of a group. After a savepoint SQLite copies every page that is changed, so there is none as long as all previous units can
 * be repeated: if a unit throws, the transaction is rolled back and begins again without it.
 */
const runUnits = (writer: Writer, group: readonly Waiting[]): Outcome[] => {
  const failures: Outcome[] = [];
  let units = group;
  for (;;) {
    const outcomes: Outcome[] = [];
    let needsSavepoint = false;
    const failed = units.find((item) => {
      const outcome = needsSavepoint ? runProtected(writer, item) : runBare(writer, item, failures);
      if (outcome !== undefined) outcomes.push(outcome);
      needsSavepoint ||= item.undo === undefined;
      return outcome === undefined;
    });
    if (failed === undefined) return [...failures, ...outcomes];
    writer.rollbackAll.run();
    writer.sql.forget();
    for (const item of units.slice(0, units.indexOf(failed))) item.undo?.();
    units = units.filter((item) => item !== failed);
    writer.begin.run();
  }
};

/** Undefined if it threw; it is then among the failures. */
const runBare = ({ connection, sql }: Writer, item: Waiting, failures: Outcome[]): Outcome | undefined => {
  try {
    const outcome = run(sql, item);
    sql.keep();
    return outcome;
  } catch (error) {
    // A full or failing disk has rolled back the whole transaction already, so the other units fail as well.
    if (!connection.inTransaction) throw error;
    failures.push(() => item.reject(error));
    return undefined;
  }
};

/** Runs a unit in its own savepoint, so that a throw does not affect the others. */
const runProtected = ({ connection, sql, savepoint, release, rollback }: Writer, item: Waiting): Outcome => {
  savepoint.run();
  try {
    const outcome = run(sql, item);
    release.run();
    sql.keep();
    return outcome;
  } catch (error) {
    if (!connection.inTransaction) throw error;
    rollback.run();
    release.run();
    sql.drop();
    return () => item.reject(error);
  }
};

const run = (sql: Sql, item: Waiting): Outcome => {
  const value = item.work(sql);
  if (value instanceof Promise) throw new TypeError("A unit of work must not await: the transaction would stay open.");
  return (durable) => item.resolve({ value, durable });
};
