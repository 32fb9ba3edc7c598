/** Rule 3 meets rule 5: where all models that hold a whole conversation fail, one with a smaller window gets it with a summary in it. */

import type { ChatModel } from "../../catalog/model.ts";
import type { Platform } from "../../platform.ts";
import { canTake, fitsContext, neededAbilities, windowTokens } from "../../router/can-take.ts";
import { choose } from "../../router/choose.ts";
import { scoreCandidates } from "../../router/score-candidates.ts";
import type { CallDraft } from "../call-draft.ts";
import { compressHistory } from "../context/compress-history.ts";
import type { Context } from "../context/gather-context.ts";
import { isAllowed, mayBeShown } from "./apply-routing-policies.ts";
import { eligible, inWantedOrder } from "./named-models.ts";
import { choiceInputOf, noteContext, type Prepared } from "./prepare-call.ts";
import { reachableModels } from "./reachable-models.ts";

/** Of a prompt that a model refused as too long although it should hold it, less than half is left. */
const OF_REFUSED = 0.6;

/**
 * For the models whose window does not hold the prompt so far. If there are none, for `refused`, whose window is smaller than its entry says, or
 * which counts more tokens than were estimated. Undefined if nothing can be left out for them.
 */
export const shortenCall = (
  platform: Platform,
  draft: CallDraft,
  { request, documentMessages, policies: { routing: rules } }: Context,
  prepared: Prepared,
  refused?: ChatModel,
): Prepared | undefined => {
  const needed = neededAbilities(request);
  const reachable = reachableModels(platform, draft).filter((model) => canTake(model, needed) && mayBeShown(rules, model));
  const smaller = reachable.filter((model) => !fitsContext(model, prepared.promptTokens));
  const others = smaller.length > 0 ? smaller : reachable.filter((model) => model === refused);
  if (others.length === 0) return undefined;
  const window = smaller.length > 0 ? Math.max(...smaller.map(windowTokens)) : Math.floor(prepared.promptTokens * OF_REFUSED);
  const { request: shorter, promptTokens, compressed } = compressHistory(request, window, documentMessages);
  if (compressed === undefined) return undefined;
  const choice = choiceInputOf(platform, draft, shorter, promptTokens);
  const candidates = eligible(draft.named, scoreCandidates(platform.catalog, choice)).filter(
    (each) => others.includes(each.model) && isAllowed(rules, each),
  );
  const decision = choose(candidates, choice);
  if (decision === undefined) return undefined;
  noteContext(draft, compressed);
  draft.promptTokens = promptTokens;
  return { ...prepared, request: shorter, promptTokens, decision: inWantedOrder(draft.named, decision) };
};
