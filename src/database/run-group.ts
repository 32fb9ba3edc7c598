/** One transaction of several units of work, done one after another: a unit that throws takes nothing of its neighbours with it. */

import type { Database as Connection } from "bun:sqlite";
import type { Sql, UnitSql } from "./unit-sql.ts";

/** What a unit of work returned, once it is in the file; `durable` resolves when no power cut can take it back. */
export type Committed<T> = { value: T; durable: Promise<void> };

export type Waiting = {
  work: (sql: Sql) => unknown;
  undo: (() => void) | undefined;
  since: number;
  resolve: (committed: Committed<any>) => void;
  reject: (error: unknown) => void;
};

export const stepsOf = (connection: Connection) => ({
  begin: connection.prepare("BEGIN IMMEDIATE"),
  commit: connection.prepare("COMMIT"),
  rollbackAll: connection.prepare("ROLLBACK"),
  savepoint: connection.prepare("SAVEPOINT unit"),
  release: connection.prepare("RELEASE unit"),
  rollback: connection.prepare("ROLLBACK TO unit"),
});
type Steps = ReturnType<typeof stepsOf>;

/** Tells who waits for a unit of work how it ended. */
export type Outcome = (durable: Promise<void>) => void;

/** A group's transaction, once it is begun, to its commit. Where it throws, nothing of the group is in the file. */
export const runGroup = (
  connection: Connection,
  steps: Steps,
  sql: UnitSql,
  group: readonly Waiting[],
  hooks: readonly ((sql: Sql) => void)[],
): Outcome[] => {
  try {
    const outcomes = runUnits(connection, steps, sql, group);
    sql.settle();
    sql.keep();
    for (const hook of hooks) hook(sql);
    steps.commit.run();
    return outcomes;
  } catch (error) {
    sql.forget();
    if (connection.inTransaction) connection.run("ROLLBACK");
    throw error;
  }
};

/**
 * Does the units of a group one after another. A savepoint has SQLite copy every page that is changed after it, so there is none as
 * long as all that was done can be done again: then a unit that throws ends the transaction, and another begins without it.
 */
const runUnits = (connection: Connection, steps: Steps, sql: UnitSql, group: readonly Waiting[]): Outcome[] => {
  const failures: Outcome[] = [];
  let units = group;
  for (;;) {
    const outcomes: Outcome[] = [];
    let needsSavepoint = false;
    const failed = units.find((item) => {
      const outcome = needsSavepoint ? runProtected(connection, steps, sql, item) : runBare(connection, sql, item, failures);
      if (outcome !== undefined) outcomes.push(outcome);
      needsSavepoint ||= item.undo === undefined;
      return outcome === undefined;
    });
    if (failed === undefined) return [...failures, ...outcomes];
    steps.rollbackAll.run();
    sql.forget();
    for (const item of units.slice(0, units.indexOf(failed))) item.undo?.();
    units = units.filter((item) => item !== failed);
    steps.begin.run();
  }
};

/** Undefined where it threw: that is then among the failures. */
const runBare = (connection: Connection, sql: UnitSql, item: Waiting, failures: Outcome[]): Outcome | undefined => {
  try {
    const outcome = run(sql, item);
    sql.keep();
    return outcome;
  } catch (error) {
    // A full disk or a failing one has rolled back the whole transaction already: the neighbours must hear of it too.
    if (!connection.inTransaction) throw error;
    failures.push(() => item.reject(error));
    return undefined;
  }
};

/** With a savepoint of its own, a unit that throws takes nothing of its neighbours with it. */
const runProtected = (connection: Connection, steps: Steps, sql: UnitSql, item: Waiting): Outcome => {
  steps.savepoint.run();
  try {
    const outcome = run(sql, item);
    steps.release.run();
    sql.keep();
    return outcome;
  } catch (error) {
    if (!connection.inTransaction) throw error;
    steps.rollback.run();
    steps.release.run();
    sql.drop();
    return () => item.reject(error);
  }
};

const run = (sql: Sql, item: Waiting): Outcome => {
  const value = item.work(sql);
  if (value instanceof Promise) throw new TypeError("A unit of work must not await: the transaction would stay open.");
  return (durable) => item.resolve({ value, durable });
};
