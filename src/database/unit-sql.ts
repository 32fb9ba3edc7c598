/** SQL for units of work, and what is to follow their commit. */

import type { Database as Connection, SQLQueryBindings, Statement } from "bun:sqlite";

export type Value = SQLQueryBindings;

/** The SQL of a unit of work; all of it commits, or none. */
export type Sql = {
  get<Row>(sql: string, ...params: Value[]): Row | undefined;
  all<Row>(sql: string, ...params: Value[]): Row[];
  run(sql: string, ...params: Value[]): { changes: number; lastInsertRowid: number };
  /** Adds a row, given by column; undefined is stored as null. Returns its rowid. */
  insert(table: string, row: Record<string, Value | undefined>): number;
  /** Runs `effect` once the transaction is committed, unless the unit is rolled back: for what changes outside the file. */
  afterCommit(effect: () => void): void;
};

/** Some hundreds belong to the program; the others are callers' filters. */
export const MOST_STATEMENTS = 600;

/** `effects`: what is to follow the commit. */
export type UnitSql = Sql & { effects: (() => void)[] };

/** SQL on a given connection (such as a database in memory). */
export const sqlOf = (connection: Connection): UnitSql => {
  /** Looked up by text, because the connection's own cache queries SQLite about each statement that it returns. */
  const statements = new Map<string, Statement>();
  const statement = (text: string): Statement => {
    let known = statements.get(text);
    if (known === undefined) {
      known = connection.query(text);
      if (statements.size < MOST_STATEMENTS) statements.set(text, known);
    }
    return known;
  };
  const sql: UnitSql = {
    get: <Row>(text: string, ...params: Value[]) => (statement(text).get(...params) as Row | null) ?? undefined,
    all: <Row>(text: string, ...params: Value[]) => statement(text).all(...params) as Row[],
    run: (text, ...params) => {
      const { changes, lastInsertRowid } = statement(text).run(...params);
      return { changes, lastInsertRowid: Number(lastInsertRowid) };
    },
    insert: (table, row) => sql.run(insertText(table, Object.keys(row)), ...(Object.values(row) as Value[])).lastInsertRowid,
    effects: [],
    afterCommit: (effect) => void sql.effects.push(effect),
  };
  return sql;
};

const insertText = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
