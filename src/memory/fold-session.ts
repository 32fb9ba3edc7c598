/**
 * Summarises the oldest turns of a session. Whatever fails, nothing is lost: the messages stay and the next call tries again. If a session
 * has more tokens than its tier allows, it does not wait for a model any longer, and sentences are extracted instead.
 */
import type { Project } from "../accounts/project.ts";
import type { Platform } from "../platform.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { countMessage } from "../router/count-prompt.ts";
import { detectRefusal } from "../router/detect-refusal.ts";
import { requireHolding } from "./holding.ts";
import { messagesAfter } from "./message-store.ts";
import { pickSentences } from "./pick-sentences.ts";
import { planFold, summaryAllowance } from "./plan-fold.ts";
import { contextTokens, type Session } from "./session.ts";
import { claimFold, releaseFold, storeSummary } from "./summary-store.ts";
import { type Summarise, writeSummary } from "./write-summary.ts";

/** Longer than a summary in several pieces takes; afterwards another call may try. */
const CLAIM_MS = 120_000;

/** True if a new summary was stored. `budgetTokens`: what the session may take, at most the tier's figure. */
export const foldSession = async (
  platform: Platform,
  project: Project,
  session: Session,
  budgetTokens: number,
  summarise: Summarise | undefined,
): Promise<boolean> => {
  const { db } = platform;
  const { tokens, nowMs } = requireHolding(platform, project);
  const folded = planFold(messagesAfter(db, project.id, session, session.summaryUpto), budgetTokens);
  const upto = folded.at(-1)?.sequence;
  if (upto === undefined || !(await claimFold(db, project.id, session, nowMs, nowMs + CLAIM_MS))) return false;
  try {
    const said = folded.map(({ message }) => message);
    const allowance = summaryAllowance(budgetTokens);
    const written = summarise && (await askForSummary(platform, session, said, allowance, summarise));
    const mayWait = summarise !== undefined && contextTokens(session) <= tokens;
    const summary = written ?? (mayWait ? undefined : pickSentences(session.summary, said, allowance));
    if (summary === undefined) return false;
    const summaryTokens = countMessage({ role: "system", content: summary });
    return await storeSummary(db, project.id, session, { summary, tokens: summaryTokens, upto });
  } catch (error) {
    platform.log.warn("A memory summary failed; the session stays as it is", { session: session.id, reason: nameOf(error) });
    return false;
  } finally {
    await releaseFold(db, project.id, session);
  }
};

/** The error's message may quote the conversation. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");

/** Undefined if the model fails, or its answer is unusable as a summary. */
const askForSummary = async (
  platform: Platform,
  session: Session,
  said: readonly ChatMessage[],
  maxTokens: number,
  summarise: Summarise,
): Promise<string | undefined> => {
  try {
    const summary = await writeSummary(session.summary, said, maxTokens, honest(platform, summarise));
    if (summary === undefined) platform.log.warn("A model's memory summary was not usable", { session: session.id });
    return summary;
  } catch (error) {
    platform.log.warn("A model could not write a memory summary", { session: session.id, reason: nameOf(error) });
    return undefined;
  }
};

/** A refusal looks like an answer, and would replace everything that was said. */
const honest =
  ({ encoder }: Platform, summarise: Summarise): Summarise =>
  async (prompt, maxTokens) => {
    const answer = await summarise(prompt, maxTokens);
    return detectRefusal(encoder, answer.text) ? { ...answer, finish: "refusal" } : answer;
  };
