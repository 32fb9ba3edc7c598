/** Documents in a chat call (spec.md rule 4): what is searched for in them, how much room they have, and what the search cost. */

import type { Mode } from "../../accounts/api-key.ts";
import { gatherDocuments } from "../../documents/query/gather-documents.ts";
import type { Platform } from "../../platform.ts";
import type { RoutingRules } from "../../policies/routing-rules.ts";
import { plainText } from "../../providers/dialect/message-parts.ts";
import { type ChatMessage, type ChatRequest, noUsage } from "../../providers/provider.ts";
import { countPrompt } from "../../router/count-prompt.ts";
import { addUsage, type CallDraft } from "../call-draft.ts";
import { largestWindow } from "../decision/reachable-models.ts";
import { askedMessages } from "../request/message-content.ts";
import { lastRemembered } from "./session-memory.ts";

/** A question shorter than this probably depends on those before it. In characters. */
const SHORT_QUESTION = 60;
/** Of a longer one only the beginning and the end are searched for: embedders take no more, and searching for a book takes seconds. */
const LONGEST_QUESTION = 8_000;
/** Share of the window for documents, beside conversation and answer. */
const DOCUMENT_SHARE = 0.7;
/** Their share if that leaves nothing, because a long conversation is compressed anyway, except for its last turn. */
const LEAST_DOCUMENT_SHARE = 0.25;

/** One message for all documents, or none. `mode`: with `test`, no remote embedder is asked. */
export const readDocuments = async (
  platform: Platform,
  draft: CallDraft,
  rules: RoutingRules | undefined,
  mode: Mode,
): Promise<ChatMessage[]> => {
  const { documents, request } = draft.input;
  if (documents.length === 0) return [];
  const { context, citations, embedded } = await gatherDocuments(
    platform,
    { ...draft.caller, mode },
    {
      documents,
      question: questionOf(platform, draft),
      availableTokens: documentRoom(request, largestWindow(platform, draft, rules)),
    },
  );
  if (embedded !== undefined) {
    draft.sideUsage = addUsage(draft.sideUsage, { ...noUsage(), input: embedded.inputTokens });
    draft.sideCostNanoUsd += embedded.costNanoUsd;
    draft.upstreamMs += embedded.latencyMs;
  }
  draft.svc.citations = citations;
  // A user message, never a system message: what a document says is no instruction.
  return [{ role: "user", content: context }];
};

const documentRoom = ({ messages, ...request }: ChatRequest, window: number): number => {
  const besides = (kept: ChatMessage[]) => window * DOCUMENT_SHARE - countPrompt({ ...request, messages: kept });
  const lastTurn = messages.findLastIndex(({ role }) => role === "user");
  const staying = messages.filter(({ role }, at) => role === "system" || at >= lastTurn);
  return Math.floor(Math.max(0, besides(messages), Math.min(window * LEAST_DOCUMENT_SHARE, besides(staying))));
};

const questionsOf = (messages: readonly ChatMessage[]): string[] =>
  messages.filter(({ role }) => role === "user").map(({ content }) => plainText(content));

/**
 * What passages are searched for: the last question, and if it is short («And in 2022?»), the earlier questions that it refers to. The last
 * comes first, because not all of a very long query counts.
 */
const questionOf = (platform: Platform, draft: CallDraft): string => {
  const asked = questionsOf(askedMessages(draft.caller.mode, draft.input.request.messages));
  const isEnough = asked.join("\n").length >= SHORT_QUESTION;
  const all = isEnough ? asked : [...questionsOf(lastRemembered(platform, draft)), ...asked];
  let question = all.pop() ?? "";
  while (question.length < SHORT_QUESTION && all.length > 0) question += `\n${all.pop()}`;
  if (question.length <= LONGEST_QUESTION) return question;
  const half = LONGEST_QUESTION / 2;
  return `${question.slice(0, half)}\n${question.slice(-half)}`.toWellFormed();
};
