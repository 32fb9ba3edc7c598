/** Rule 3 meets rule 5: where all models that hold a whole conversation fail, one with a smaller window gets it with a summary in it. */

import type { Platform } from "../../platform.ts";
import { canTake, fitsContext, neededAbilities, windowTokens } from "../../router/can-take.ts";
import { choose } from "../../router/choose.ts";
import { scoreCandidates } from "../../router/score-candidates.ts";
import type { CallDraft } from "../call-draft.ts";
import { compressHistory } from "../context/compress-history.ts";
import type { Context } from "../context/gather-context.ts";
import { isAllowed, mayBeShown } from "./apply-routing-policies.ts";
import { eligible } from "./named-models.ts";
import { choiceInputOf, noteContext, type Prepared } from "./prepare-call.ts";
import { reachableModels } from "./reachable-models.ts";

/** For the models whose window does not hold the prompt so far. Undefined if there are none, or if nothing can be left out for them. */
export const shortenCall = (
  platform: Platform,
  draft: CallDraft,
  { request, documentMessages, policies: { routing: rules } }: Context,
  prepared: Prepared,
): Prepared | undefined => {
  const needed = neededAbilities(request);
  const others = reachableModels(platform, draft).filter(
    (model) => !fitsContext(model, prepared.promptTokens) && canTake(model, needed) && mayBeShown(rules, model),
  );
  if (others.length === 0) return undefined;
  const window = Math.max(...others.map(windowTokens));
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
  return { ...prepared, request: shorter, promptTokens, decision };
};
