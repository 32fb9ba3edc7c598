/** A whole chat answer, which each route shapes into its own wire format. */

import type { ChatResult } from "../../providers/provider.ts";
import type { ChatInput } from "../request/chat-input.ts";
import type { Svc } from "./completion-schema.ts";

export type Answer = {
  requestId: string;
  createdAtMs: number;
  /** Catalog id of the model that answered. */
  model: string;
  result: ChatResult;
  svc: Svc;
};

/** The answer without its thinking, unless the caller's API shows it. */
export const shown = ({ showsThinking }: ChatInput, result: ChatResult): ChatResult => {
  if (showsThinking !== undefined) return result;
  const { thoughts: _thoughts, reasoning: _reasoning, ...rest } = result;
  return rest;
};
