/**
 * Tracks which calls use which memory session. A new session that no call gave a turn is deleted with the last of them, so that a failed
 * call takes up no place.
 */
import type { Db } from "../database/database.ts";
import { deleteUnusedSession, isUnusedSession } from "./store.ts";

export type OpenSessions = {
  /** Call it right before the session is opened, without awaiting in between. */
  enter(requestId: string, projectId: string, sessionId: string): void;
  /** Call it however the call ended, even for calls without a session. Deletion is done before any session that is opened later. */
  leave(requestId: string): Promise<void>;
};

export const createOpenSessions = (db: Db): OpenSessions => {
  const sessionOf = new Map<string, { projectId: string; sessionId: string; name: string }>();
  const callsIn = new Map<string, number>();
  return {
    enter: (requestId, projectId, sessionId) => {
      const name = `${projectId} ${sessionId}`;
      if (sessionOf.has(requestId)) return;
      sessionOf.set(requestId, { projectId, sessionId, name });
      callsIn.set(name, (callsIn.get(name) ?? 0) + 1);
    },
    leave: async (requestId) => {
      const session = sessionOf.get(requestId);
      if (session === undefined) return;
      sessionOf.delete(requestId);
      const left = callsIn.get(session.name)! - 1;
      if (left > 0) {
        callsIn.set(session.name, left);
        return;
      }
      callsIn.delete(session.name);
      const { projectId, sessionId } = session;
      // Checked before requesting a write, since most calls leave a turn.
      if (isUnusedSession(db, projectId, sessionId)) await deleteUnusedSession(db, projectId, sessionId);
    },
  };
};
