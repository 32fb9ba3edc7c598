/** Which models a call can reach at all: those whose provider is configured, or those that the caller named. */

import type { Mode } from "../../accounts/api-key.ts";
import { mayUse } from "../../accounts/key-models.ts";
import { notConfigured, permissionDenied, serviceUnavailable } from "../../api-error.ts";
import type { ChatModel } from "../../catalog/model.ts";
import type { Platform } from "../../platform.ts";
import type { RoutingRules } from "../../policies/routing-rules.ts";
import { canTake, neededAbilities, windowTokens } from "../../router/can-take.ts";
import type { ChoiceInput } from "../../router/score-candidates.ts";
import type { CallDraft } from "../call-draft.ts";
import { mayBeShown } from "./apply-routing-policies.ts";
import { serverAway } from "./refuse-choice.ts";

/** Only those that the caller named, unless `allow_fallback` lets others stand in for a pinned one. */
export const reachableModels = (platform: Platform, draft: CallDraft): readonly ChatModel[] => {
  const { all, isExclusive } = draft.named;
  return (isExclusive ? all : platform.catalog.chatModels()).filter(canBeAsked(platform, draft));
};

/**
 * Whether the key may use a model, and its provider is configured and supports the API that the call's tools need. A pinned model is always
 * asked.
 */
export const canBeAsked = (platform: Platform, { input, caller, named }: CallDraft): ((model: ChatModel) => boolean) => {
  const { tools = [] } = input.request;
  return (model) => {
    if (!mayUse(caller.key, model)) return false;
    const provider = platform.providers.find(caller.mode, model.provider);
    if (provider?.chat === undefined) return false;
    return tools.length === 0 || provider.takesTools?.(model.upstreamModel) !== false || model === named.pinned;
  };
};

/** The largest context window, in tokens of `countPrompt`, among the models able and allowed to answer; among all reachable ones if there are none. */
export const largestWindow = (platform: Platform, draft: CallDraft, rules: RoutingRules | undefined): number => {
  const needed = neededAbilities(draft.input.request);
  let largest = 0;
  let largestEligible = 0;
  for (const model of reachableModels(platform, draft)) {
    const window = windowTokens(model);
    if (window > largest) largest = window;
    if (window > largestEligible && canTake(model, needed) && mayBeShown(rules, model)) largestEligible = window;
  }
  return largestEligible || largest;
};

/**
 * Refuses a call early, before anything costs time. Throws 503 if no provider is configured, or none of those that are needed, and 403 if
 * the key may use no chat model.
 */
export const checkReachable = (platform: Platform, { caller: { mode, key }, named: { all, isExclusive } }: CallDraft): void => {
  const { catalog } = platform;
  const isConfigured = (model: ChatModel) => isCallable(platform, mode, model);
  if (!catalog.chatModels().some(isConfigured)) {
    if (all[0]?.isAway) throw serverAway(all[0]);
    throw serviceUnavailable(
      "No AI provider is configured. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY (or start Ollama), or use a pk_test_ key to try the sandbox.",
      60,
      false,
    );
  }
  const only = isExclusive ? all : key.models && catalog.chatModels().filter((model) => mayUse(key, model));
  if (only?.length === 0)
    throw permissionDenied(`None of the models that this key may use (${key.models!.join(", ")}) answers chats.`);
  if (only !== null && !only.some(isConfigured)) {
    const [first] = only;
    if (first!.isAway) throw serverAway(first!);
    throw notConfigured(first!.id, catalog.provider(first!.provider)?.keyVariables[0]);
  }
};

/** The provider's name for the model; the sandbox uses the catalog's id. */
export const upstreamNameOf = (mode: Mode, { id, upstreamModel }: ChatModel): string => (mode === "test" ? id : upstreamModel);

export const healthFor = ({ providers }: Platform, mode: Mode): ChoiceInput["healthOf"] => {
  const health = providers.healthIn(mode);
  return ({ provider, upstreamModel }) => health.state(provider, upstreamModel);
};

export const isCallable = (platform: Platform, mode: Mode, model: ChatModel): boolean =>
  model.isAway === undefined && platform.providers.find(mode, model.provider)?.chat !== undefined;
