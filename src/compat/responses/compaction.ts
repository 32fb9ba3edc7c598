/**
 * Compaction, as Codex asks for it: `input` ends with a `compaction_trigger`, the answer is one item of type `compaction`, and that stands
 * for the conversation from then on. OpenAI seals a state into the item; here it holds a summary that the model wrote.
 */

import { callIdAs } from "../../lib/ids.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import type { Status } from "./items.ts";
import type { ResponsesBody } from "./wire.ts";

/** Tells our items from those that only OpenAI can open. */
const MARK = "signalbox:";
export const TRIGGER = { type: "compaction_trigger" as const };

export const asksToCompact = ({ input }: ResponsesBody): boolean =>
  typeof input !== "string" && input.at(-1)?.type === TRIGGER.type;

/** The same request with the trigger. */
export const compacting = (body: ResponsesBody): ResponsesBody => {
  const { input } = body;
  return { ...body, input: [...(typeof input === "string" ? [{ role: "user" as const, content: input }] : input), TRIGGER] };
};

/** Nothing is called for a summary. The tools stay, because what stands in front of a prompt is cached with it. */
export const asSummaryRequest = (body: ResponsesBody): ResponsesBody => ({ ...body, tool_choice: "none" });

/** What takes the trigger's place in the conversation. */
export const SUMMARY_REQUEST: ChatMessage = {
  role: "user",
  content:
    "Summarize the conversation so far. The summary will replace it, and you will go on from the summary alone. Keep what the user wants and " +
    "all instructions that still apply, what was decided and why, what was done and found (files, commands, results, exact names and values " +
    "that are still needed), what is unfinished, and the next step. Answer with the summary only.",
};

/** Whether a conversation as it was read ends with a trigger. */
export const endsInTrigger = (messages: readonly ChatMessage[]): boolean => messages.at(-1)?.content === SUMMARY_REQUEST.content;

export type CompactionItem = { id: string; type: "compaction"; encrypted_content: string };

/** None for a summary that is empty, cut off or refused: the caller keeps the conversation rather than lose it. */
export const compactionItems = (requestId: string, summary: string, status: Status, refusal?: string): CompactionItem[] =>
  summary.trim() === "" || status !== "completed" || refusal !== undefined
    ? []
    : [
        {
          id: callIdAs("cmp_", requestId),
          type: "compaction",
          encrypted_content: MARK + Buffer.from(summary).toString("base64"),
        },
      ];

/** Undefined if the item was not made here. */
export const summaryMessage = (content: string): ChatMessage | undefined =>
  content.startsWith(MARK)
    ? {
        role: "system",
        content: `Summary of the conversation until here:\n${Buffer.from(content.slice(MARK.length), "base64")}`,
      }
    : undefined;
