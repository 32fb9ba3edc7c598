/** What a unit of work may do on the connection, and what is gathered from several units to be done once. */

import type { Database as Connection, SQLQueryBindings, Statement } from "bun:sqlite";

export type Value = SQLQueryBindings;

/** What a unit of work may do; all of it commits, or none. */
export type Sql = {
  get<Row>(sql: string, ...params: Value[]): Row | undefined;
  all<Row>(sql: string, ...params: Value[]): Row[];
  run(sql: string, ...params: Value[]): { changes: number; lastInsertRowid: number };
  /** Has `work` done once for all items that units of this transaction gather for it; those of a unit that is rolled back are forgotten. */
  gather<Item>(work: (sql: Sql, items: Item[]) => void, item: Item): void;
  /** Does what was gathered so far now: before something reads or changes what it writes. */
  settle(): void;
};

/** Some hundreds are the program's own; the others are filters that callers put together. */
export const MOST_STATEMENTS = 600;

type Work = (sql: Sql, items: any[]) => void;

export type UnitSql = Sql & {
  /** The unit at work has succeeded: what it gathered is done with that of the others. */
  keep(): void;
  /** The unit at work is rolled back, and with it what it had settled for the units before it: that is to be done again. */
  drop(): void;
  /** The whole transaction is rolled back. */
  forget(): void;
};

/** The same words on a connection of one's own (a database in memory). */
export const sqlOf = (connection: Connection): UnitSql => {
  /** Gathered by the units before, by the unit at work, and what that unit has settled of the former. */
  const gathered = new Map<Work, unknown[]>();
  let own: [work: Work, item: unknown][] = [];
  let settled: [work: Work, item: unknown][] = [];
  /** Found by the text itself: the connection's own list asks SQLite about each statement that it hands out. */
  const statements = new Map<string, Statement>();
  const statement = (text: string): Statement => {
    let known = statements.get(text);
    if (known === undefined) {
      known = connection.query(text);
      if (statements.size < MOST_STATEMENTS) statements.set(text, known);
    }
    return known;
  };
  const add = (work: Work, item: unknown): void => {
    const items = gathered.get(work);
    if (items === undefined) gathered.set(work, [item]);
    else items.push(item);
  };
  const sql: UnitSql = {
    get: <Row>(text: string, ...params: Value[]) => (statement(text).get(...params) as Row | null) ?? undefined,
    all: <Row>(text: string, ...params: Value[]) => statement(text).all(...params) as Row[],
    run: (text, ...params) => {
      const { changes, lastInsertRowid } = statement(text).run(...params);
      return { changes, lastInsertRowid: Number(lastInsertRowid) };
    },
    gather: (work, item) => void own.push([work, item]),
    settle: () => {
      for (const [work, items] of gathered) for (const item of items) settled.push([work, item]);
      for (const [work, item] of own) add(work, item);
      own = [];
      for (const [work, items] of gathered) {
        gathered.delete(work);
        work(sql, items);
      }
    },
    keep: () => {
      for (const [work, item] of own) add(work, item);
      own = [];
      settled = [];
    },
    drop: () => {
      own = [];
      for (const [work, item] of settled) add(work, item);
      settled = [];
    },
    forget: () => {
      gathered.clear();
      own = [];
      settled = [];
    },
  };
  return sql;
};
