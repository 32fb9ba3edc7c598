/** Reads a conversation from the log, for a request that continues from an earlier answer. */

import type { Mode } from "../accounts/api-key.ts";
import type { Db } from "../database/database.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { callsAsText } from "./call.ts";
import { findCall } from "./read-store.ts";
import { unpackCall } from "./store.ts";

export type RecalledCall = {
  route: string;
  /** Without that call's own instructions. Undefined if it contains pictures, sound or files, of which the log has only the size. */
  messages: ChatMessage[] | undefined;
  answer: Extract<ChatMessage, { role: "assistant" }>;
};

/** Undefined if the call was not answered, or not stored unchanged (without bodies, or redacted). */
export const recallCall = async (db: Db, projectId: string, id: string, mode: Mode): Promise<RecalledCall | undefined> => {
  const call = await findCall(db, projectId, id, mode);
  if (call === undefined || call.status !== 200) return undefined;
  const { details, prompt, output } = unpackCall(call);
  if (details.redacted || output === undefined || !Array.isArray(prompt?.messages)) return undefined;
  const messages = (prompt.messages as ChatMessage[]).slice(details.hasInstructions ? 1 : 0);
  const { toolCalls = [], text } = output;
  const answer = { role: "assistant" as const, content: text === callsAsText(toolCalls) ? "" : text };
  return {
    route: call.route,
    messages: messages.every(isText) ? messages : undefined,
    answer: toolCalls.length > 0 ? { ...answer, toolCalls } : answer,
  };
};

const isText = ({ content }: ChatMessage): boolean => typeof content === "string" || content.every(({ type }) => type === "text");
