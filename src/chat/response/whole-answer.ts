/** A whole chat answer, which each route shapes into its own wire format. */

import type { ChatResult } from "../../providers/provider.ts";
import type { CallDraft } from "../call-draft.ts";
import type { Svc } from "./completion-schema.ts";

export type Answer = {
  requestId: string;
  createdAtMs: number;
  /** Catalog id of the model that answered. */
  model: string;
  result: ChatResult;
  svc: Svc;
};

export const answerOf = ({ caller, answer }: CallDraft, result: ChatResult, svc: Svc): Answer => ({
  requestId: caller.requestId,
  createdAtMs: caller.startedAtMs,
  model: answer!.model,
  result,
  svc,
});
