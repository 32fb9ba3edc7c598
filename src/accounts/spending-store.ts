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

const USER_KEY = "project_id, mode, user_digest, day";
const ROWS_A_STEP = 2_000;
type UserKey = readonly [projectId: string, mode: string, user: string, day: string];
/** Behind those of all projects. */
const LAST: UserKey = ["~", "", "", ""];

/**
 * A step that deletes some of the days before `day`, which are of no period that runs: the longest of a user's budgets is a month. It is
 * false at the end of the table, which is walked because it has no index by day.
 */
export const deletingUserSpendingBefore = (db: Db, day: string): (() => Promise<boolean>) => {
  let from: UserKey = ["", "", "", ""];
  return async () => {
    const to = keyBehind(db, from);
    const passed = `(${USER_KEY}) > (?, ?, ?, ?) AND (${USER_KEY}) <= (?, ?, ?, ?)`;
    await db.write((sql) => void sql.run(`DELETE FROM user_spend WHERE ${passed} AND day < ?`, ...from, ...to, day));
    from = to;
    return to !== LAST;
  };
};

/** The key of the row with which a step ends that begins behind `from`. */
const keyBehind = (db: Db, from: UserKey): UserKey => {
  const row = db.get<{ project: string; mode: string; user: string; day: string }>(
    `SELECT project_id AS project, mode, user_digest AS user, day FROM user_spend
     WHERE (${USER_KEY}) > (?, ?, ?, ?) ORDER BY ${USER_KEY} LIMIT 1 OFFSET ${ROWS_A_STEP - 1}`,
    ...from,
  );
  return row === undefined ? LAST : [row.project, row.mode, row.user, row.day];
};

/** Some of what a deleted project's users have spent; false when none is left. */
export const deleteSomeSpendingOfUsers = (db: Db, projectId: string): Promise<boolean> =>
  db.write((sql) => {
    const some = `SELECT ${USER_KEY} FROM user_spend WHERE project_id = ? LIMIT ${ROWS_A_STEP}`;
    return sql.run(`DELETE FROM user_spend WHERE (${USER_KEY}) IN (${some})`, projectId).changes > 0;
  });

/** Of keys that there are no more. */
export const deleteSpendingOfDeletedKeys = (db: Db): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM key_spend WHERE key_id GLOB 'key_*' AND key_id NOT IN (SELECT id FROM api_keys)"));
