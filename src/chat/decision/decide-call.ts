/** Everything between reading a call and the first request to a provider: its context, and which models are asked in which order. */

import type { Platform } from "../../platform.ts";
import type { CallDraft } from "../call-draft.ts";
import { type Context, gatherContext, openPolicies } from "../context/gather-context.ts";
import { type Prepared, prepareCall } from "./prepare-call.ts";
import { checkReachable } from "./reachable-models.ts";

export type Decided = { context: Context; prepared: Prepared };

/** The draft must be classified. */
export const decide = async (platform: Platform, draft: CallDraft): Promise<Decided> => {
  // First, because a call that is refused has a row too, and policies decide what may stand in it.
  await openPolicies(platform, draft);
  checkReachable(platform, draft);
  const context = await gatherContext(platform, draft);
  return { context, prepared: prepareCall(platform, draft, context.request, context.policies.routing) };
};
