/** The operator's stored settings: one JSON value per name. */

import type { Db, Sql } from "./database.ts";

export const findSetting = <T>(sql: Pick<Sql, "get">, name: string): T | undefined => {
  const row = sql.get<{ value: string }>("SELECT value FROM settings WHERE name = ?", name);
  return row && (JSON.parse(row.value) as T);
};

export const putSetting = (sql: Sql, name: string, value: unknown, now: number): void => {
  sql.run(
    "INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
    name,
    JSON.stringify(value),
    now,
  );
};

export const deleteSetting = (sql: Sql, name: string): void => {
  sql.run("DELETE FROM settings WHERE name = ?", name);
};

/** Rejects if the file cannot be written. Only a row that is written detects a full disk. */
export const tryToWrite = (db: Db, now: number): Promise<void> =>
  db.write((sql) => putSetting(sql, "readiness_probe", null, now));
