/** What keys and users have spent, by UTC day. What a project has spent is read from the sums of the log. */

import type { Db, Sql } from "../database/database.ts";
import type { Mode } from "./api-key.ts";
import type { Days } from "./purses.ts";

/** `user`: a digest of the user's id, so that deleting a user's data leaves no name behind. */
export type Spender = { projectId: string; mode: Mode; user: string };

const sumOf = (row: { spent: number | null } | undefined): number => row?.spent ?? 0;

export const spentByKey = (db: Db, keyId: string, { beginning, end }: Days): number =>
  sumOf(
    db.get("SELECT sum(spent_nano_usd) AS spent FROM key_spend WHERE key_id = ? AND day >= ? AND day < ?", keyId, beginning, end),
  );

export const addSpendingOfKey = (sql: Sql, keyId: string, day: string, nanoUsd: number): void =>
  void sql.run(
    `INSERT INTO key_spend (key_id, day, spent_nano_usd) VALUES (?, ?, ?)
     ON CONFLICT (key_id, day) DO UPDATE SET spent_nano_usd = spent_nano_usd + excluded.spent_nano_usd`,
    keyId,
    day,
    nanoUsd,
  );

export const spentByUser = (db: Db, { projectId, mode, user }: Spender, { beginning, end }: Days): number =>
  sumOf(
    db.get(
      `SELECT sum(spent_nano_usd) AS spent FROM user_spend
       WHERE project_id = ? AND mode = ? AND user_digest = ? AND day >= ? AND day < ?`,
      projectId,
      mode,
      user,
      beginning,
      end,
    ),
  );

export const addSpendingOfUser = (sql: Sql, { projectId, mode, user }: Spender, day: string, nanoUsd: number): void =>
  void sql.run(
    `INSERT INTO user_spend (project_id, mode, user_digest, day, spent_nano_usd) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (project_id, mode, user_digest, day) DO UPDATE SET spent_nano_usd = spent_nano_usd + excluded.spent_nano_usd`,
    projectId,
    mode,
    user,
    day,
    nanoUsd,
  );

/** Days before `day` are of no period that runs: the longest of a user's budgets is a month. */
export const deleteUserSpendingBefore = (db: Db, day: string): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM user_spend WHERE day < ?", day));

/** Of projects and keys that there are no more. */
export const deleteSpendingOfDeleted = (db: Db): Promise<void> =>
  db.write((sql) => {
    sql.run("DELETE FROM key_spend WHERE key_id GLOB 'key_*' AND key_id NOT IN (SELECT id FROM api_keys)");
    sql.run("DELETE FROM user_spend WHERE project_id NOT IN (SELECT id FROM projects)");
  });
