/** Memory sessions on the wire (decisions §8). */

import { type Static, Type } from "@sinclair/typebox";
import { toIso } from "../lib/clock.ts";
import { orNull } from "../lib/nullable.ts";
import { contextTokens, type Session, type StoredMessage } from "./session.ts";
import { readableText } from "./slim-message.ts";

export const SessionQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
});

const fields = {
  session_id: Type.String(),
  message_count: Type.Integer({ description: "All messages kept" }),
  token_count: Type.Integer({ description: "Of the summary and the messages after it: what a call would send" }),
  summarized: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
  expires_at: Type.String(),
};

const MessageSchema = Type.Object({ role: Type.String(), content: Type.String(), created_at: Type.String() });

const SessionSchema = Type.Object(fields);
export const SessionListSchema = Type.Object({
  sessions: Type.Array(SessionSchema),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});
export const SessionDetailSchema = Type.Object({
  ...fields,
  summary: orNull(Type.String()),
  messages: Type.Array(MessageSchema),
});
export const ClearedSchema = Type.Object({
  session_id: Type.String(),
  cleared: Type.Literal(true),
  messages_removed: Type.Integer(),
});
export const DeletedSessionSchema = Type.Object({ session_id: Type.String(), deleted: Type.Literal(true) });

export const toWireSession = (session: Session): Static<typeof SessionSchema> => ({
  session_id: session.sessionId,
  message_count: session.messageCount,
  token_count: contextTokens(session),
  summarized: session.summary !== null,
  created_at: toIso(session.createdAtMs),
  updated_at: toIso(session.updatedAtMs),
  expires_at: toIso(session.expiresAtMs),
});

export const toWireMessage = ({ message, createdAtMs }: StoredMessage): Static<typeof MessageSchema> => ({
  role: message.role,
  content: readableText(message),
  created_at: toIso(createdAtMs),
});
