/** What a unit of work may do on the connection, and what is gathered from several units to be done once. */

import type { Database as Connection, SQLQueryBindings } from "bun:sqlite";

export type Value = SQLQueryBindings;

/** What a unit of work may do; all of it commits, or none. */
export type Sql = {
  get<Row>(sql: string, ...params: Value[]): Row | undefined;
  all<Row>(sql: string, ...params: Value[]): Row[];
  run(sql: string, ...params: Value[]): { changes: number; lastInsertRowid: number };
  /** Has `work` done once for all items that units of this transaction gather for it; those of a unit that is rolled back are forgotten. */
  gather<Item>(work: (sql: Sql, items: Item[]) => void, item: Item): void;
  /**
   * The same, but it may wait for a later transaction, and is done with what that one and those between owe. Only for what is had again
   * from what this transaction writes, should the process end before.
   */
  owe<Item>(work: (sql: Sql, items: Item[]) => void, item: Item): void;
  /** Does what was gathered and is owed so far now: before something reads or changes what it writes. */
  settle(): void;
};

type Work = (sql: Sql, items: any[]) => void;
type Task = readonly [work: Work, item: unknown];

export type UnitSql = Sql & {
  /** The unit at work has succeeded: what it gathered is done with that of the others. */
  keep(): void;
  /** The unit at work is rolled back, and with it what it had settled for the units before it: that is to be done again. */
  drop(): void;
  /** The whole transaction is rolled back: what those before it owed is owed still. */
  forget(): void;
  /** Does what was gathered; what is owed goes on waiting. */
  finish(): void;
  /** The transaction is committed: what it owes is owed by it no more, but by the file. */
  sealed(): void;
  /** How much committed transactions owe. */
  owed(): number;
};

/** The same words on a connection of one's own (a database in memory). */
export const sqlOf = (connection: Connection): UnitSql => {
  /** What the units of this transaction gathered, what they owe, and what the transactions before it owe. */
  let gathered: Task[] = [];
  let owed: Task[] = [];
  let older: Task[] = [];
  /** What the unit at work adds to the first two. */
  let own: { task: Task; mayWait: boolean }[] = [];
  /** Lists that are settled are left behind, not emptied: these are where a rollback finds them. */
  let kept = { gathered, owed, older };
  let committed = older;
  const note = () => {
    kept = { gathered, owed, older };
  };
  const run = (tasks: readonly Task[]): void => {
    for (const [work, ofWork] of Map.groupBy(tasks, ([work]) => work))
      work(
        sql,
        ofWork.map(([, item]) => item),
      );
  };
  const sql: UnitSql = {
    get: <Row>(text: string, ...params: Value[]) => (connection.query(text).get(...params) as Row | null) ?? undefined,
    all: <Row>(text: string, ...params: Value[]) => connection.query(text).all(...params) as Row[],
    run: (text, ...params) => {
      const { changes, lastInsertRowid } = connection.query(text).run(...params);
      return { changes, lastInsertRowid: Number(lastInsertRowid) };
    },
    gather: (work, item) => void own.push({ task: [work, item], mayWait: false }),
    owe: (work, item) => void own.push({ task: [work, item], mayWait: true }),
    settle: () => {
      const all = [...older, ...owed, ...gathered, ...own.map(({ task }) => task)];
      older = [];
      owed = [];
      gathered = [];
      own = [];
      run(all);
    },
    finish: () => {
      const all = gathered;
      gathered = [];
      run(all);
    },
    keep: () => {
      for (const { task, mayWait } of own) (mayWait ? owed : gathered).push(task);
      own = [];
      note();
    },
    drop: () => {
      own = [];
      ({ gathered, owed, older } = kept);
    },
    forget: () => {
      own = [];
      gathered = [];
      owed = [];
      older = committed;
      note();
    },
    sealed: () => {
      for (const task of owed) older.push(task);
      owed = [];
      committed = older;
      note();
    },
    owed: () => older.length,
  };
  return sql;
};
