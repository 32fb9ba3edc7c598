/** All that happens between the reading of a call and its first question to a provider: what goes along, and who is asked in which order. */

import type { Platform } from "../../platform.ts";
import type { CallDraft } from "../call-draft.ts";
import { type Context, gatherContext, openPolicies } from "../context/gather-context.ts";
import { type Prepared, prepareCall } from "./prepare-call.ts";
import { checkReachable } from "./reachable-models.ts";

export type Decided = { context: Context; prepared: Prepared };

/** All that happens before a provider is asked; the draft is classified already. */
export const decide = async (platform: Platform, draft: CallDraft): Promise<Decided> => {
  // Before anything can be refused: what policies keep out of the log stays out of a refused call's row too.
  await openPolicies(platform, draft);
  checkReachable(platform, draft);
  const context = await gatherContext(platform, draft);
  return { context, prepared: prepareCall(platform, draft, context.request, context.policies.routing) };
};
