/** The operator's password and the one-time link that sets it (decisions §1; safety-notes T11). Sessions are the dashboard's. */

import type { Db, Sql } from "../database/database.ts";
import { deleteSetting, findSetting, putSetting } from "../database/settings.ts";
import type { Author } from "../history/author.ts";
import { recordChange } from "../history/store.ts";
import { randomBase62 } from "../lib/base62.ts";
import { digest, sameText } from "../lib/digest.ts";
import type { ApiKey, Mode } from "./api-key.ts";
import { UNLIMITED } from "./key-terms.ts";
import type { Project } from "./project.ts";

const PASSWORD = "admin_password";
const SETUP_TOKEN = "setup_token";
export const LEAST_PASSWORD_CHARACTERS = 10;

export const hasAdminPassword = async (db: Db): Promise<boolean> => adminPasswordHash(db) !== undefined;

/** What a stored password is compared with: another one after every change. */
export const adminPasswordHash = (sql: Pick<Sql, "get">): string | undefined => findSetting<string>(sql, PASSWORD);

/** `may` is asked as it is stored; false if that said no. */
export const setAdminPassword = async (db: Db, by: Author, password: string, may = (_sql: Sql) => true): Promise<boolean> => {
  const hash = await Bun.password.hash(password, "argon2id");
  return db.write((sql) => {
    if (!may(sql)) return false;
    putPassword(sql, by, hash);
    return true;
  });
};

const putPassword = (sql: Sql, by: Author, hash: string): void => {
  putSetting(sql, PASSWORD, hash, by.atMs);
  deleteSetting(sql, SETUP_TOKEN);
  recordChange(sql, by, { action: "password.changed" });
};

/** False if none is set. A password in the environment takes precedence. */
export const isAdminPassword = async (db: Db, fromEnvironment: string | undefined, password: string): Promise<boolean> => {
  if (fromEnvironment !== undefined) return sameText(fromEnvironment, password);
  const hash = adminPasswordHash(db);
  return hash !== undefined && Bun.password.verify(password, hash);
};

/** Creates a token that sets the password once; only its digest is stored. */
export const createSetupToken = async (db: Db, now: number): Promise<string> => {
  const token = randomBase62(32);
  await db.write((sql) => putSetting(sql, SETUP_TOKEN, digest(token), now));
  return token;
};

/** Sets the password if the token is the one that was issued; it is then used up. */
export const redeemSetupToken = async (db: Db, by: Author, token: string, password: string): Promise<boolean> => {
  const hash = await Bun.password.hash(password, "argon2id");
  return db.write((sql) => {
    const expected = findSetting<string>(sql, SETUP_TOKEN);
    if (expected === undefined || !sameText(expected, digest(token))) return false;
    putPassword(sql, by, hash);
    return true;
  });
};

/**
 * Stands in for a key when the operator acts in a project: may do everything, has no budget, is in no table. `name` is how logs call it.
 */
export const operatorKey = (name: string, project: Project, mode: Mode): ApiKey => ({
  id: name,
  projectId: project.id,
  name,
  mode,
  lastFour: "",
  ...UNLIMITED,
  revokedAtMs: null,
  lastUsedAtMs: null,
  createdAtMs: project.createdAtMs,
  logHash: name,
});
