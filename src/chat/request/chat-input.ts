/** One chat call in our own terms, whichever API it came by. */

import { ApiError } from "../../api-error.ts";
import type { ChatRequest } from "../../providers/provider.ts";

export type ChatInput = {
  request: ChatRequest;
  /** The path that the caller used, for the log and for the form of errors. */
  route: string;
  /** What the caller's API calls `messages`, for errors. */
  messagesField?: "prompt" | "input";
  /** Catalog id that the caller pinned; undefined lets the router choose. */
  pinnedModel?: string;
  /** Catalog ids: with a pinned model its fallbacks in this order, else what the router chooses among. */
  models?: string[];
  /** With a pinned model: models that the caller did not name may answer too. */
  allowFallback: boolean;
  ceilingNanoUsd?: number;
  /** What the request costs beside this call (a search): the ceiling is already less by it, and what callers are told is more by it. */
  besideNanoUsd?: number;
  /** Each with the request field that named it, for errors. */
  documents: { id: string; param: string }[];
  /** Set if `document_id` was sent, which the answer repeats. */
  documentId?: string;
  /** The field that held the JSON Schema of `request.outputFormat`, for errors. */
  schemaField?: string;
  /** A schema that was saved before, in place of one in the request. */
  schemaId?: string;
  schemaStrict: boolean;
  sessionId?: string;
  memoryEnabled: boolean;
  includeLastN?: number;
  userId?: string;
  custom?: Record<string, string>;
  /** The first message holds this call's `instructions`, which do not apply to calls that continue from its answer. */
  hasInstructions?: true;
  /**
   * What the answer, if it is fetched later, tells of the request beside its messages; false if it may not be fetched. Left out where the
   * caller's API has no word for it, or did not say it.
   */
  echo?: object | false;
  /** The answer is a summary that takes the conversation's place: it is checked before any of it is sent, and a refusal is marked as one. */
  isSummary?: true;
  /** Fields of the request that have no effect. */
  ignored: string[];
  /** How the caller's API shows thinking: as content of its own, or just before the content. Left out: not at all. */
  showsThinking?: "as-content" | "before-content";
  /** 0 = best, 1 = cheapest. */
  qualityCost?: number;
};

/** Whether the answer must fit a JSON Schema. */
export const wantsSchema = ({ request, schemaId }: Pick<ChatInput, "request" | "schemaId">): boolean =>
  request.outputFormat?.type === "schema" || schemaId !== undefined;

/** An error whose field is called otherwise in the caller's API names that, in `param` and in the sentence. */
export const messagesAs = ({ messagesField: name }: ChatInput, error: unknown): unknown =>
  name !== undefined && error instanceof ApiError && error.options.param?.startsWith("messages")
    ? new ApiError(error.type, error.message.replace(/`messages[^`]*`/g, `\`${name}\``), { ...error.options, param: name })
    : error;
