/** What memory holds: a session of a project, and the messages said in it. */
import type { ChatMessage } from "../providers/provider.ts";

export type Session = {
  /** Ours, new for each life of a session; `sessionId` is the caller's name for it. */
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

/** What a call sends of a session: the summary and what came after it. */
export const contextTokens = (session: Session): number => session.tokenCount + session.summaryTokens;
