/** Before a call: the session's memory, to be put before the caller's messages (spec.md "Memory sessions"). */
import type { Project } from "../accounts/project.ts";
import type { Platform } from "../platform.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { foldSession } from "./fold-session.ts";
import { requireHolding } from "./holding.ts";
import { messagesAfter } from "./message-store.ts";
import { needsFold } from "./plan-fold.ts";
import { addedTokens } from "./remember-turn.ts";
import { selectContext } from "./select-context.ts";
import { contextTokens, type Session } from "./session.ts";
import { findSession, openSession } from "./store.ts";
import type { Summarise } from "./write-summary.ts";

type RecallOptions = {
  /** The request's own messages; remembered messages among them are not sent twice. */
  messages: readonly ChatMessage[];
  includeLastN?: number;
  /** Tokens that the prompt has room for beside those messages. */
  budgetTokens: number;
  /** Absent if no model can be asked; sentences are then extracted instead. */
  summarise?: Summarise;
};

/**
 * Creates the session if it does not exist, so that one too many is refused before anything is spent. Throws 403 `insufficient_tier` or
 * `limit_exceeded`.
 */
export const ensureSession = (platform: Platform, project: Project, sessionId: string): Promise<Session> =>
  openSession(platform.db, project.id, sessionId, requireHolding(platform, project));

/** The summary as a system message, then the messages since; nothing for a new session. Creates the session, as above. */
export const recallSession = async (
  platform: Platform,
  project: Project,
  sessionId: string,
  { messages, includeLastN, budgetTokens, summarise }: RecallOptions,
): Promise<ChatMessage[]> => {
  const { tokens } = requireHolding(platform, project);
  const budget = Math.min(tokens, budgetTokens);
  let session = await ensureSession(platform, project, sessionId);
  const foldingBudget = includeLastN === undefined ? budget : tokens;
  const held = contextTokens(session);
  if (needsFold(held, foldingBudget) || (held > 0 && needsFold(held + addedTokens(messages), tokens))) {
    await foldSession(platform, project, session, foldingBudget, summarise);
    session = await ensureSession(platform, project, sessionId);
  }
  const sent = messages.filter(({ role }) => role !== "system");
  // Messages that the caller repeats do not count among the last N.
  const most = includeLastN === undefined ? undefined : includeLastN + sent.length;
  const said = messagesAfter(platform.db, project.id, session, session.summaryUpto, most);
  const selected = selectContext(said, {
    sent,
    budgetTokens: budget - session.summaryTokens,
    ...(includeLastN !== undefined && { includeLastN }),
  });
  const { summary } = session;
  return summary === null ? selected : [summaryMessage(summary), ...selected];
};

/** How many messages back a question may refer that is too short to be understood alone. */
const LAST_SAID = 10;

/**
 * The last messages that no summary covers, at most `most`; none if the session does not exist. Only reads: creates and summarises nothing.
 */
export const lastSaid = ({ db, clock }: Platform, projectId: string, sessionId: string, most = LAST_SAID): ChatMessage[] => {
  const session = findSession(db, projectId, sessionId, clock.now());
  if (session === undefined) return [];
  const said = messagesAfter(db, projectId, session, session.summaryUpto, Math.min(most, LAST_SAID));
  return said.map(({ message }) => message);
};

const summaryMessage = (summary: string): ChatMessage => ({
  role: "system",
  content: `Summary of the earlier conversation in this session:\n${summary}`,
});
