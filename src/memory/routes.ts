/** `/v1/memory` (spec.md "Memory", decisions §8). */
import { Elysia } from "elysia";
import { notFound } from "../api-error.ts";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readQuery } from "../http/read-query.ts";
import type { Platform } from "../platform.ts";
import { clearSession, messagesAfter } from "./message-store.ts";
import { deleteSession, findSession, listSessions } from "./store.ts";
import {
  ClearedSchema,
  DeletedSessionSchema,
  SessionDetailSchema,
  SessionListSchema,
  SessionQuery,
  toWireMessage,
  toWireSession,
} from "./wire.ts";

const guard = { scope: "memory", group: "memory", feature: "Memory" } as const;

export const memoryRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .get(
      "/v1/memory",
      ({ caller, request }) => {
        const { limit, offset } = readQuery(request, SessionQuery);
        const page = { nowMs: platform.clock.now(), limit, offset };
        const { sessions, total } = listSessions(platform.db, caller.project.id, page);
        return { sessions: sessions.map(toWireSession), total, limit, offset };
      },
      { guard, detail: describe({ summary: "Memory sessions", query: SessionQuery, response: SessionListSchema }) },
    )
    .get(
      "/v1/memory/:sessionId",
      ({ caller, params }) => {
        const session = findSession(platform.db, caller.project.id, params.sessionId, platform.clock.now());
        if (session === undefined) throw notFound("The session");
        const messages = messagesAfter(platform.db, caller.project.id, session, 0);
        return { ...toWireSession(session), summary: session.summary, messages: messages.map(toWireMessage) };
      },
      {
        guard,
        detail: describe({ summary: "One session with its messages", response: SessionDetailSchema }),
      },
    )
    .post(
      "/v1/memory/:sessionId/clear",
      async ({ caller, params }) => {
        const removed = await clearSession(platform.db, caller.project.id, params.sessionId, platform.clock.now());
        if (removed === undefined) throw notFound("The session");
        return { session_id: params.sessionId, cleared: true, messages_removed: removed };
      },
      { guard, detail: describe({ summary: "Empty a session", response: ClearedSchema }) },
    )
    .delete(
      "/v1/memory/:sessionId",
      async ({ caller, params }) => {
        const deleted = await deleteSession(platform.db, caller.project.id, params.sessionId, platform.clock.now());
        if (!deleted) throw notFound("The session");
        return { session_id: params.sessionId, deleted: true };
      },
      { guard, detail: describe({ summary: "Delete a session", response: DeletedSessionSchema }) },
    );
