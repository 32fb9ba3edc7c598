/** Authenticates a request's key. One function for every accepted header, deny by default (decisions §3, spec.md Authentication). */

import { invalidApiKey } from "../api-error.ts";
import { type Db, SEEN_WITHIN_MS } from "../database/database.ts";
import type { Operator } from "../history/author.ts";
import type { Beginning, Clock } from "../lib/clock.ts";
import { createRecent } from "../lib/recent.ts";
import type { TraceContext } from "../lib/trace-context.ts";
import { type ApiKey, hashApiKey, isWellFormedKey, type Mode } from "./api-key.ts";
import type { Project } from "./project.ts";
import { findKeyBySecret, updateLastUsed } from "./store.ts";

/** The caller of a request: known before anything else of it is read, and passed through the whole story. */
export type Caller = Beginning & {
  requestId: string;
  project: Project;
  key: ApiKey;
  mode: Mode;
  ip: string | null;
  userAgent: string | null;
  /** Set if the dashboard acts for its operator, in place of a key. */
  operator?: Operator;
  /** Whom the header of the setting `user_header` names; a user in the body comes first. */
  userId?: string;
  /** For the upstream: this gateway's span, if the call is traced. */
  traceparent: string | null;
  trace?: TraceContext;
  /** The address by which this caller reaches the server, for absolute links: `https://host`, without a slash. */
  origin: string;
};

/** The caller with the user whom the body names. */
export const onBehalfOf = (caller: Caller, userId: string | undefined): Caller =>
  userId === undefined ? caller : { ...caller, userId };

export type Accounts = {
  /** Throws the 401 of spec.md. Honours a new, changed or revoked key within a second, even if another process wrote it. */
  authenticate(headers: Headers): { key: ApiKey; project: Project };
  /** Clears the cache; call it after this process changed a key or a project. */
  forget(): void;
  /** Writes when each key was last used. */
  flushLastUsed(): Promise<void>;
};

const REMEMBERED_KEYS = 10_000;

export const createAccounts = (db: Db, clock: Clock): Accounts => {
  const remembered = createRecent<{ key: ApiKey; project: Project }>(REMEMBERED_KEYS);
  const lastUsed = new Map<string, number>();
  let version = db.foreignVersion();
  let lookedAt = 0;

  const forgetAfterForeignWrite = () => {
    const now = performance.now();
    if (now - lookedAt < SEEN_WITHIN_MS) return;
    lookedAt = now;
    const current = db.foreignVersion();
    if (current === version) return;
    version = current;
    remembered.forget();
  };

  return {
    authenticate: (headers) => {
      forgetAfterForeignWrite();
      const text = keyText(headers);
      if (text === undefined) throw invalidApiKey();
      let found = remembered.find(text);
      if (found === undefined) {
        if (!isWellFormedKey(text)) throw invalidApiKey();
        found = findKeyBySecret(db, hashApiKey(text));
        if (found === undefined) throw invalidApiKey();
        remembered.keep(text, found);
      }
      const { key } = found;
      const now = clock.now();
      if (key.revokedAtMs !== null || (key.expiresAtMs !== null && key.expiresAtMs <= now)) throw invalidApiKey();
      lastUsed.set(key.id, now);
      return found;
    },
    forget: remembered.forget,
    flushLastUsed: async () => {
      if (lastUsed.size === 0) return;
      const uses = new Map(lastUsed);
      lastUsed.clear();
      await updateLastUsed(db, uses);
    },
  };
};

/**
 * `Authorization: Bearer …`, or `x-api-key` as Anthropic's clients send it (decisions §5). Another scheme, such as Basic, is for a proxy in
 * front of the server, which passes it on.
 */
const keyText = (headers: Headers): string | undefined => {
  const authorization = headers.get("authorization") ?? "";
  if (/^(?:$|[a-z]+ )/i.test(authorization) && !/^bearer /i.test(authorization)) return headers.get("x-api-key") ?? undefined;
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
};
