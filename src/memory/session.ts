/** A memory session of a project, and its messages. */
import type { ChatMessage } from "../providers/provider.ts";

export type Session = {
  /** Our own id, new each time a session is created; `sessionId` is the caller's name for it. */
  id: string;
  sessionId: string;
  messageCount: number;
  /** Tokens of the messages that the summary does not cover. */
  tokenCount: number;
  summary: string | null;
  summaryTokens: number;
  /** The last message that the summary covers. */
  summaryUpto: number;
  /** Changes with every summary and every clearing. */
  summaryVersion: number;
  createdAtMs: number;
  updatedAtMs: number;
  expiresAtMs: number;
};

export type StoredMessage = { sequence: number; message: ChatMessage; tokens: number; createdAtMs: number };

/** Tokens that a call sends of a session: the summary and the messages after it. */
export const contextTokens = (session: Session): number => session.tokenCount + session.summaryTokens;
