/**
 * A session's memory in a chat call: earlier turns are put before the conversation, and the new turn is stored afterwards (decisions §8,
 * §11).
 */

import { requireHolding } from "../../memory/holding.ts";
import { ensureSession, lastSaid, recallSession } from "../../memory/recall-session.ts";
import { rememberTurn } from "../../memory/remember-turn.ts";
import type { Platform } from "../../platform.ts";
import type { RoutingRules } from "../../policies/routing-rules.ts";
import { describeError } from "../../process-log.ts";
import type { ChatMessage, ChatRequest } from "../../providers/provider.ts";
import { countPrompt } from "../../router/count-prompt.ts";
import { askCheaply } from "../attempts/side-call.ts";
import type { CallDraft } from "../call-draft.ts";
import { callCeiling } from "../decision/call-ceiling.ts";
import { largestWindow } from "../decision/reachable-models.ts";

/** Share of the window for conversation and memory together. */
const CONVERSATION_SHARE = 0.75;

/** The remembered messages, to put before the conversation. */
export const recallMemory = async (
  platform: Platform,
  draft: CallDraft,
  request: ChatRequest,
  rules: RoutingRules | undefined,
): Promise<ChatMessage[]> => {
  const { input, caller } = draft;
  const sessionId = enterSession(platform, draft);
  if (sessionId === undefined) return [];
  const windowTokens = largestWindow(platform, draft, rules);
  return recallSession(platform, caller.project, sessionId, {
    // The caller's own messages; documents gathered for the call are not remembered.
    messages: input.request.messages,
    budgetTokens: Math.max(0, Math.floor(windowTokens * CONVERSATION_SHARE) - countPrompt(request)),
    // A summary by a model costs money, so under a ceiling sentences are extracted instead; with a test key too, because the sandbox
    // cannot tell what is worth remembering.
    ...(caller.mode === "live" &&
      callCeiling(input, rules) === undefined && {
        summarise: (prompt: string, maxTokens: number) => askCheaply(platform, draft, prompt, maxTokens),
      }),
    ...(input.includeLastN !== undefined && { includeLastN: input.includeLastN }),
  });
};

/** The session's last messages, no more of them than the call asks for. Opens no session and refuses nothing. */
export const lastRemembered = (platform: Platform, { input, caller }: CallDraft): ChatMessage[] =>
  input.sessionId === undefined || !input.memoryEnabled
    ? []
    : lastSaid(platform, caller.project.id, input.sessionId, input.includeLastN);

/** For calls that need no context (media): opens the session, or refuses the call, before anything is spent. */
export const openMemory = async (platform: Platform, draft: CallDraft): Promise<void> => {
  const sessionId = enterSession(platform, draft);
  if (sessionId !== undefined) await ensureSession(platform, draft.caller.project, sessionId);
};

/** The session that the call uses, if any. Throws 403 below Pro, even if the call switches memory off. */
const enterSession = (platform: Platform, { input, caller }: CallDraft): string | undefined => {
  if (input.sessionId === undefined) return undefined;
  requireHolding(platform, caller.project);
  if (!input.memoryEnabled) return undefined;
  platform.openSessions.enter(caller.requestId, caller.project.id, input.sessionId);
  return input.sessionId;
};

/** Called however the call ended: a new session without any turn is not kept. */
export const leaveMemory = (platform: Platform, { caller: { requestId }, input: { sessionId } }: CallDraft): void => {
  if (sessionId !== undefined) platform.background.soon("unused session", () => platform.openSessions.leave(requestId));
};

/**
 * Stores the turn with the answer that the caller got; `sent` ends with the caller's own messages. A failure is logged and does not affect
 * the answer.
 */
export const rememberAnswer = async (
  platform: Platform,
  { input, caller, answer }: CallDraft,
  sent: readonly ChatMessage[],
): Promise<void> => {
  if (input.sessionId === undefined || !input.memoryEnabled || answer === undefined) return;
  const { toolCalls, pictures } = answer;
  const text = answer.text || (pictures === undefined ? "" : "[image]");
  const userId = input.userId ?? caller.userId;
  if (text === "" && toolCalls.length === 0) return;
  const turn = {
    messages: ownOf(sent, input.request.messages),
    answer: { role: "assistant", content: text, ...(toolCalls.length > 0 && { toolCalls }) } as const,
    ...(userId !== undefined && { userId }),
  };
  await rememberTurn(platform, caller.project, input.sessionId, turn).catch((error) =>
    platform.log.warn("A turn could not be remembered", { request_id: caller.requestId, ...describeError(error) }),
  );
};

/** Without this, a document in front would be taken for the question of a caller who asks none. */
const ownOf = (sent: readonly ChatMessage[], own: readonly ChatMessage[]): readonly ChatMessage[] => {
  const first = own.findIndex(({ role }) => role !== "system");
  return first < 0 ? [] : sent.slice(first - own.length);
};
