/** One chat call in our own words, whichever route it came by. */

import type { ChatRequest } from "../../providers/provider.ts";

export type ChatInput = {
  request: ChatRequest;
  /** Path the caller used, for the log and for the shape of refusals. */
  route: string;
  /** Catalog id that the caller pinned; undefined routes. */
  pinnedModel?: string;
  allowFallback: boolean;
  ceilingNanoUsd?: number;
  /** With the request's field that named each, for errors. */
  documents: { id: string; param: string }[];
  /** Set where `document_id` was sent: it is echoed. */
  documentId?: string;
  /** Inline JSON Schema, and the field it came in. */
  schema?: { value: unknown; param: string };
  schemaId?: string;
  schemaStrict: boolean;
  sessionId?: string;
  memoryEnabled: boolean;
  includeLastN?: number;
  userId?: string;
  custom?: Record<string, string>;
  /** The first message is this call's own: it does not hold for who goes on from its answer. */
  hasInstructions?: true;
  /** Fields of the request that nothing was made of. */
  ignored?: string[];
  /** 0 = best, 1 = cheapest. */
  qualityCost?: number;
};
