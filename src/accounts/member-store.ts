/** The members' table: who may sign in with a name, and the invitations with which they set their password. */

import type { Db, Sql } from "../database/database.ts";
import type { Author } from "../history/author.ts";
import { changedFields } from "../history/change.ts";
import { recordChange } from "../history/store.ts";
import { randomBase62 } from "../lib/base62.ts";
import { digest } from "../lib/digest.ts";
import { INVITATION_MS, type Member, type Role } from "./member.ts";

/** The database, or a unit of work in it. */
type Reading = Pick<Sql, "get">;
type Row = Omit<Member, "hasPassword"> & { hasPassword: number };

const SELECT =
  "SELECT name, role, password_hash IS NOT NULL AS hasPassword, invited_at AS invitedAtMs, created_at AS createdAtMs FROM members";

export const listMembers = (db: Db): Member[] => db.all<Row>(`${SELECT} ORDER BY name`).map(toMember);

export const findMember = (sql: Reading, name: string): Member | undefined => {
  const row = sql.get<Row>(`${SELECT} WHERE name = ?`, name);
  return row && toMember(row);
};

const toMember = (row: Row): Member => ({ ...row, hasPassword: row.hasPassword === 1 });

export const hasMembers = (db: Db): boolean => db.get("SELECT 1 FROM members LIMIT 1") !== undefined;

/** Returns the token of the member's invitation; undefined if there is somebody of that name. */
export const insertMember = (db: Db, by: Author, name: string, role: Role): Promise<string | undefined> => {
  const token = randomBase62(32);
  return db.write((sql) => {
    if (findMember(sql, name) !== undefined) return undefined;
    sql.insert("members", { name, role, invitation_digest: digest(token), invited_at: by.atMs, created_at: by.atMs });
    recordChange(sql, by, { action: "member.invited", name, fields: changedFields({}, { role }) });
    return token;
  });
};

/** Another link for one that was lost, or for a forgotten password, which holds until the link is used. Undefined if there is nobody. */
export const inviteAgain = (db: Db, by: Author, name: string): Promise<string | undefined> => {
  const token = randomBase62(32);
  return db.write((sql) => {
    const member = findMember(sql, name);
    if (member === undefined) return undefined;
    sql.run("UPDATE members SET invitation_digest = ?, invited_at = ? WHERE name = ?", digest(token), by.atMs, name);
    recordChange(sql, by, { action: "member.invited", name: member.name });
    return token;
  });
};

/** Whose link it is, if it can still be used. */
export const findInvited = (sql: Reading, token: string, now: number): string | undefined =>
  sql.get<{ name: string }>(
    "SELECT name FROM members WHERE invitation_digest = ? AND ? - invited_at < ?",
    digest(token),
    now,
    INVITATION_MS,
  )?.name;

/** Sets the password of the member whose link it is, once; false if it is nobody's. Whoever was signed in as them is signed out. */
export const redeemInvitation = async (db: Db, by: Author, token: string, password: string): Promise<boolean> => {
  const hash = await Bun.password.hash(password, "argon2id");
  return db.write((sql) => {
    const name = findInvited(sql, token, by.atMs);
    if (name === undefined) return false;
    putPassword(sql, by, name, hash);
    sql.run("DELETE FROM dashboard_sessions WHERE member = ?", name);
    return true;
  });
};

/** `may` is asked as it is stored; false if that said no. */
export const setMemberPassword = async (
  db: Db,
  by: Author,
  { name, password, may }: { name: string; password: string; may: (sql: Sql) => boolean },
): Promise<boolean> => {
  const hash = await Bun.password.hash(password, "argon2id");
  return db.write((sql) => {
    if (!may(sql)) return false;
    putPassword(sql, by, name, hash);
    return true;
  });
};

/** An invitation that is open ends with it: whoever knows a new password has no use for one. */
const putPassword = (sql: Sql, by: Author, name: string, hash: string): void => {
  sql.run("UPDATE members SET password_hash = ?, invitation_digest = NULL, invited_at = NULL WHERE name = ?", hash, name);
  recordChange(sql, by, { action: "password.changed", name });
};

/** What the member's password is compared with: another one after every change. */
export const memberPasswordHash = (sql: Reading, name: string): string | null | undefined =>
  sql.get<{ hash: string | null }>("SELECT password_hash AS hash FROM members WHERE name = ?", name)?.hash;

/** False, too, where nobody has that name. */
export const isMemberPassword = async (db: Db, name: string, password: string): Promise<boolean> => {
  const hash = memberPasswordHash(db, name);
  if (hash) return Bun.password.verify(password, hash);
  // As slow as for a name that exists, so that nobody learns who does.
  await Bun.password.hash(password, "argon2id");
  return false;
};

/** It holds at once, also for browsers that are signed in. Undefined if there is nobody of that name. */
export const changeRole = (db: Db, by: Author, name: string, role: Role): Promise<Member | undefined> =>
  db.write((sql) => {
    const member = findMember(sql, name);
    if (member === undefined) return undefined;
    sql.run("UPDATE members SET role = ? WHERE name = ?", role, name);
    recordChange(sql, by, {
      action: "member.changed",
      name: member.name,
      fields: changedFields({ role: member.role }, { role }),
    });
    return { ...member, role };
  });

/** Returns who it was; undefined if there is nobody of that name. */
export const deleteMember = (db: Db, by: Author, name: string): Promise<Member | undefined> =>
  db.write((sql) => {
    const member = findMember(sql, name);
    if (member === undefined) return undefined;
    sql.run("DELETE FROM dashboard_sessions WHERE member = ?", name);
    sql.run("DELETE FROM members WHERE name = ?", name);
    recordChange(sql, by, { action: "member.deleted", name: member.name });
    return member;
  });
