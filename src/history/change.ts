/** What the history tells of a change: a verb, the object, and which of its fields were what and are what. Never a secret or a prompt. */

import { isRecord } from "../lib/is-record.ts";

const ACTIONS = [
  "project.created",
  "project.changed",
  "project.deleted",
  "key.created",
  "key.changed",
  "key.revoked",
  "policy.created",
  "policy.changed",
  "policy.deleted",
  "schema.created",
  "schema.changed",
  "schema.deleted",
  "document.deleted",
  "call.texts_deleted",
  "user.forgotten",
  "learning.reset",
  "provider.changed",
  "provider.deleted",
  "model.created",
  "model.changed",
  "model.deleted",
  "search.order_changed",
  "settings_file.changed",
  "password.changed",
  "member.invited",
  "member.changed",
  "member.deleted",
  "secret.rotated",
  "backup.restored",
] as const;
type Action = (typeof ACTIONS)[number];

/** What is changed: the part of each action before its dot. */
type KindOf<Name> = Name extends `${infer Kind}.${string}` ? Kind : never;
export type Kind = KindOf<Action>;
export const kindOf = (action: Action): Kind => action.slice(0, action.indexOf(".")) as Kind;
export const KINDS: readonly Kind[] = [...new Set(ACTIONS.map(kindOf))];

export type Fields = Record<string, { before: unknown; after: unknown }>;

export type Change = {
  action: Action;
  id?: string;
  name?: string;
  /** Whose it is; absent for what belongs to the whole server. */
  projectId?: string;
  /** Where given, a change of no field is none. */
  fields?: Fields;
};

const MOST_FIELDS = 100;
const MOST_CHARACTERS = 500;

/**
 * The fields that differ, by their paths (`budget.usd`); null stands for one that is not there. `isSecret`: of such fields it is told that
 * they are set, or set anew, and nothing else.
 */
export const changedFields = (before: object, after: object, isSecret = (_path: string): boolean => false): Fields => {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((path) => !Bun.deepEquals(was.get(path), is.get(path)));
  const told = changed.slice(0, MOST_FIELDS).map((path) => {
    const values = { before: was.get(path), after: is.get(path) };
    return [path, isSecret(path) ? withoutValues(values) : { before: bounded(values.before), after: bounded(values.after) }];
  });
  const more = changed.length - told.length;
  return Object.fromEntries([...told, ...(more > 0 ? [["…", { before: null, after: `${more} more` }]] : [])]);
};

/** Every value that is no object, by its path; those that are null are left out, as if they were not there. */
const leavesOf = (value: unknown, path = "", leaves = new Map<string, unknown>()): Map<string, unknown> => {
  if (isRecord(value))
    for (const [name, member] of Object.entries(value)) leavesOf(member, path === "" ? name : `${path}.${name}`, leaves);
  else if (value !== undefined && value !== null) leaves.set(path, value);
  return leaves;
};

const withoutValues = ({ before, after }: { before: unknown; after: unknown }) => ({
  before: before === undefined ? null : "set",
  after: after === undefined ? null : before === undefined ? "set" : "set anew",
});

/** A long list or text is told by its length. */
const bounded = (value: unknown): unknown => {
  if (value === undefined) return null;
  const { length } = JSON.stringify(value);
  if (length <= MOST_CHARACTERS) return value;
  return Array.isArray(value) ? `${value.length} entries` : `${length} characters`;
};
