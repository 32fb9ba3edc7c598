/** SQL for units of work, and work that is gathered from several units to be done once. */

import type { Database as Connection, SQLQueryBindings, Statement } from "bun:sqlite";

export type Value = SQLQueryBindings;

/** The SQL of a unit of work; all of it commits, or none. */
export type Sql = {
  get<Row>(sql: string, ...params: Value[]): Row | undefined;
  all<Row>(sql: string, ...params: Value[]): Row[];
  run(sql: string, ...params: Value[]): { changes: number; lastInsertRowid: number };
  /** Adds a row, given by column; undefined is stored as null. Returns its rowid. */
  insert(table: string, row: Record<string, Value | undefined>): number;
  /** Runs `work` once for all items that units of this transaction gather for it, except for those of units that are rolled back. */
  gather<Item>(work: (sql: Sql, items: Item[]) => void, item: Item): void;
};

/** Some hundreds belong to the program; the others are callers' filters. */
export const MOST_STATEMENTS = 600;

type Work = (sql: Sql, items: any[]) => void;

export type UnitSql = Sql & {
  /** The current unit succeeded: what it gathered is added to that of the others. */
  keep(): void;
  /** The current unit is rolled back. */
  drop(): void;
  /** The whole transaction is rolled back. */
  forget(): void;
  /** Runs what was gathered; call it after the last unit. */
  settle(): void;
};

/** SQL on a given connection (such as a database in memory). */
export const sqlOf = (connection: Connection): UnitSql => {
  /** Items gathered by earlier units, and by the current one. */
  const gathered = new Map<Work, unknown[]>();
  let own: [work: Work, item: unknown][] = [];
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
  /** Each table's last insert: the next usually has the same columns, and comparing them is cheaper than making the text again. */
  const inserts = new Map<string, { columns: string[]; text: string }>();
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
    insert: (table, row) => {
      const columns = Object.keys(row);
      let known = inserts.get(table);
      if (known === undefined || !isSameList(known.columns, columns)) {
        known = { columns, text: insertText(table, columns) };
        inserts.set(table, known);
      }
      return sql.run(known.text, ...(Object.values(row) as Value[])).lastInsertRowid;
    },
    gather: (work, item) => void own.push([work, item]),
    keep: () => {
      for (const [work, item] of own) add(work, item);
      own = [];
    },
    drop: () => {
      own = [];
    },
    forget: () => {
      gathered.clear();
      own = [];
    },
    settle: () => {
      for (const [work, items] of gathered) work(sql, items);
      gathered.clear();
    },
  };
  return sql;
};

const insertText = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
