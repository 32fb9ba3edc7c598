/**
 * Which calls are at work on which memory session. A session that a call opened and that no call gave a turn goes with the last of them:
 * a call that fails takes no place from others.
 */
import type { Db } from "../database/database.ts";
import { deleteUnusedSession, isUnusedSession } from "./store.ts";

export type OpenSessions = {
  /** Called right before the session is opened, nothing awaited in between. */
  enter(requestId: string, projectId: string, sessionId: string): void;
  /** However the call ended, also one without a session. What is deleted is deleted before any session that is opened later. */
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
      // Looked at before a write is asked for: most calls leave a turn.
      if (isUnusedSession(db, projectId, sessionId)) await deleteUnusedSession(db, projectId, sessionId);
    },
  };
};
