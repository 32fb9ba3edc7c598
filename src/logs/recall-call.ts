/** Reads from the log: a conversation, for a request that continues from an earlier answer; an answer, to give it again. */

import type { Mode } from "../accounts/api-key.ts";
import type { Db } from "../database/database.ts";
import type { ChatMessage, ToolCall } from "../providers/provider.ts";
import { type Attempt, type Call, callsAsText, type ValidationChecks } from "./call.ts";
import { findKeptAnswer } from "./kept-answers-store.ts";
import { findCall } from "./read-store.ts";
import { unpackCall } from "./store.ts";

export type RecalledCall = {
  route: string;
  /** Without that call's own instructions. Undefined if it contains pictures, sound or files, of which the log has only the size. */
  messages: ChatMessage[] | undefined;
  answer: Extract<ChatMessage, { role: "assistant" }>;
};

/** Undefined if the call was not answered, not stored unchanged (without bodies, or redacted), or not to be continued from. */
export const recallCall = async (db: Db, projectId: string, id: string, mode: Mode): Promise<RecalledCall | undefined> => {
  const call = await findCall(db, projectId, id, mode);
  if (call === undefined || call.status !== 200) return undefined;
  const { details, prompt, output } = unpackCall(call);
  if (details.redacted || details.echo === false || output === undefined || !Array.isArray(prompt?.messages)) return undefined;
  const messages = (prompt.messages as ChatMessage[]).slice(details.hasInstructions ? 1 : 0);
  const { text, toolCalls } = answerOf(output);
  const answer = { role: "assistant" as const, content: text };
  return {
    route: call.route,
    messages: details.pictures === undefined && messages.every(isText) ? messages : undefined,
    answer: toolCalls.length > 0 ? { ...answer, toolCalls } : answer,
  };
};

/** The text is empty where the log has the tool calls in its place. */
export const answerOf = ({ text, toolCalls = [] }: { text: string; toolCalls?: ToolCall[] | undefined }) => ({
  text: text === callsAsText(toolCalls) ? "" : text,
  toolCalls,
});

/** What the log has of an answer, and of the attempt that gave it. */
export type RecalledAnswer = ReturnType<typeof answerOf> & {
  callId: string;
  completedAtMs: number;
  costNanoUsd: number;
  attempt: Attempt;
  validationChecks?: ValidationChecks;
  /** What the ceiling and the policies changed or found. */
  found: Pick<Call, "costWarning" | "policyEvaluation" | "contentEvaluation">;
};

type Asked = { projectId: string; mode: Mode; question: string; sinceMs: number; nowMs: number };

/** The answer given to the question since `sinceMs`; undefined if none was kept, or the log no longer has it. */
export const recallAnswer = async (db: Db, asked: Asked): Promise<RecalledAnswer | undefined> => {
  const id = findKeptAnswer(db, asked.question, asked.sinceMs, asked.nowMs);
  const call = id === undefined ? undefined : await findCall(db, asked.projectId, id, asked.mode);
  if (call === undefined) return undefined;
  const { details, output } = unpackCall(call);
  const attempt = details.attempts?.findLast(({ success }) => success);
  if (output === undefined || attempt === undefined) return undefined;
  const { validationChecks, costWarning, policyEvaluation, contentEvaluation } = details;
  return {
    ...answerOf(output),
    callId: call.id,
    completedAtMs: call.completed_at,
    costNanoUsd: call.cost_nano_usd,
    attempt,
    ...(validationChecks && { validationChecks }),
    found: {
      ...(costWarning !== undefined && { costWarning }),
      ...(policyEvaluation && { policyEvaluation }),
      ...(contentEvaluation && { contentEvaluation }),
    },
  };
};

const isText = ({ content }: ChatMessage): boolean => typeof content === "string" || content.every(({ type }) => type === "text");
