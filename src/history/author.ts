/** Who makes a change, from where and when: told to whatever stores it, for the history. */

/** Whom the dashboard's API lets in: a browser that has signed in, or a program with the admin token. */
export type Operator = {
  actor: "dashboard" | "admin_token";
  /** The name of a member who signed in; null for whoever has the server's own password or token. */
  member: string | null;
};
export const ACTORS = ["dashboard", "admin_token", "key", "command_line", "server"] as const;
type Actor = (typeof ACTORS)[number];

export type Author = {
  actor: Actor;
  member: string | null;
  /** Its id and name, if a key did it. */
  key: { id: string; name: string } | null;
  /** The address that the request came from, if there was one. */
  ip: string | null;
  atMs: number;
};

/** `operator`: set where the dashboard acts for its operator in place of a key. */
type Asking = { key: { id: string; name: string }; operator?: Operator; ip: string | null };

export const authorOf = ({ key, operator, ip }: Asking, now: number): Author =>
  operator === undefined
    ? { actor: "key", member: null, key: { id: key.id, name: key.name }, ip, atMs: now }
    : { ...operator, key: null, ip, atMs: now };

export const byCommand = (now: number): Author => ({ actor: "command_line", member: null, key: null, ip: null, atMs: now });

/** What the server does by itself, such as reading its settings file again. */
export const byServer = (now: number): Author => ({ actor: "server", member: null, key: null, ip: null, atMs: now });
