/** A whole chat answer, which each route shapes into its own wire format. */

import type { ChatResult, TokenUsage } from "../../providers/provider.ts";
import type { Svc } from "./completion-schema.ts";

export type Answer = {
  requestId: string;
  createdAtMs: number;
  /** Catalog id of the model that answered. */
  model: string;
  result: ChatResult;
  usage: TokenUsage;
  fallbackUsed: boolean;
  svc: Svc;
};
