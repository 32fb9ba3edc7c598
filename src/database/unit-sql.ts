/** SQL for units of work, and what several units of a transaction gather to be done once. */

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
  /** Runs `effect` once the transaction is committed, unless the unit is rolled back: for what changes outside the file. */
  afterCommit(effect: () => void): void;
};

/** Some hundreds belong to the program; the others are callers' filters. */
export const MOST_STATEMENTS = 600;

type Work = (sql: Sql, items: any[]) => void;

export type UnitSql = Sql & {
  /** Returns what to call for a rollback: it forgets what was gathered, and what was to follow the commit, since then. */
  mark(): () => void;
  /** Runs what was gathered; call it after the last unit. */
  settle(): void;
  /** What is to follow the commit; forgotten here from then on. */
  takeEffects(): (() => void)[];
};

/** SQL on a given connection (such as a database in memory). */
export const sqlOf = (connection: Connection): UnitSql => {
  const gathered: [work: Work, item: unknown][] = [];
  const effects: (() => void)[] = [];
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
    gather: (work, item) => void gathered.push([work, item]),
    afterCommit: (effect) => void effects.push(effect),
    mark: () => {
      const [before, effectsBefore] = [gathered.length, effects.length];
      return () => {
        gathered.length = before;
        effects.length = effectsBefore;
      };
    },
    settle: () => {
      for (const [work, all] of Map.groupBy(gathered.splice(0), ([work]) => work)) {
        const items = all.map(([, item]) => item);
        work(sql, items);
      }
    },
    takeEffects: () => effects.splice(0),
  };
  return sql;
};

const insertText = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
