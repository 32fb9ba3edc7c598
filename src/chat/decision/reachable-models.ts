/** Which models a call can reach at all: those whose provider is configured, or those that the caller named. */

import type { Mode } from "../../accounts/api-key.ts";
import { modelNotFound, serviceUnavailable } from "../../api-error.ts";
import type { ChatModel } from "../../catalog/model.ts";
import type { Platform } from "../../platform.ts";
import type { RoutingRules } from "../../policies/routing-rules.ts";
import { canTake, neededAbilities } from "../../router/can-take.ts";
import type { ChoiceInput } from "../../router/score-candidates.ts";
import type { CallDraft } from "../call-draft.ts";
import { mayBeShown } from "./apply-routing-policies.ts";

/** The models that the caller named. */
type Named = {
  /** Asked first; undefined if the router chooses. */
  pinned: ChatModel | undefined;
  /** The pinned one, then the others in the caller's order; each once. */
  all: readonly ChatModel[];
  /** No other model may answer. */
  isExclusive: boolean;
};
const NOBODY: Named = { pinned: undefined, all: [], isExclusive: false };

/** Throws 404 for a name that the catalog does not have. */
export const namedModels = (platform: Platform, { input }: CallDraft): Named => {
  const { pinnedModel, models = [], allowFallback } = input;
  if (pinnedModel === undefined && models.length === 0) return NOBODY;
  const find = (id: string, param: string): ChatModel => {
    const model = platform.catalog.findChatModel(id);
    if (model === undefined) throw modelNotFound(id, "The model", param);
    return model;
  };
  const pinned = pinnedModel === undefined ? undefined : find(pinnedModel, "model");
  const others = models.map((id, index) => find(id, `models.${index}`));
  const all = [...new Set(pinned === undefined ? others : [pinned, ...others])];
  return { pinned, all, isExclusive: pinned === undefined || !allowFallback };
};

/** Only those that the caller named, unless `allow_fallback` lets others stand in for a pinned one. */
export const reachableModels = (platform: Platform, draft: CallDraft): readonly ChatModel[] => {
  const { all, isExclusive } = namedModels(platform, draft);
  return (isExclusive ? all : platform.catalog.chatModels()).filter(canBeAsked(platform, draft));
};

/** Whether a model's provider is configured and supports the API that the call's tools need. A pinned model is always asked. */
export const canBeAsked = (platform: Platform, draft: CallDraft): ((model: ChatModel) => boolean) => {
  const { tools = [] } = draft.input.request;
  const { pinned } = namedModels(platform, draft);
  return (model) => {
    const provider = platform.providers.find(draft.caller.mode, model.provider);
    if (provider?.chat === undefined) return false;
    return tools.length === 0 || provider.takesTools?.(model.upstreamModel) !== false || model === pinned;
  };
};

/** The largest context window, in tokens, among the models able and allowed to answer; among all reachable ones if there are none. */
export const largestWindow = (platform: Platform, draft: CallDraft, rules: RoutingRules | undefined): number => {
  const reachable = reachableModels(platform, draft);
  const needed = neededAbilities(draft.input.request);
  const eligible = reachable.filter((model) => canTake(model, needed) && mayBeShown(rules, model));
  return Math.max(...(eligible.length > 0 ? eligible : reachable).map(({ contextWindow }) => contextWindow), 0);
};

/** Refuses a call early, before anything costs time. Throws 404 if a named model is unknown, 503 if no provider is configured. */
export const checkReachable = (platform: Platform, draft: CallDraft): void => {
  const { mode } = draft.caller;
  const { all, isExclusive } = namedModels(platform, draft);
  const configured = platform.catalog.chatModels().some((model) => isCallable(platform, mode, model));
  if (!configured) {
    throw serviceUnavailable(
      "No AI provider is configured. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY (or start Ollama), or use a pk_test_ key to try the sandbox.",
      60,
      false,
    );
  }
  if (isExclusive && !all.some((model) => isCallable(platform, mode, model))) {
    const { id, provider } = all[0]!;
    const variables = platform.catalog.provider(provider)?.keyVariables ?? [];
    throw serviceUnavailable(`The provider of ${id} is not configured${variables[0] ? `: set ${variables[0]}` : ""}.`, 60, false);
  }
};

/** The provider's name for the model; the sandbox uses the catalog's id. */
export const upstreamNameOf = (mode: Mode, { id, upstreamModel }: ChatModel): string => (mode === "test" ? id : upstreamModel);

/** The sandbox is always healthy. */
export const healthFor =
  ({ providers }: Platform, mode: Mode): ChoiceInput["healthOf"] =>
  ({ provider, upstreamModel }) =>
    mode === "test" ? "healthy" : providers.health.state(provider, upstreamModel);

export const isCallable = (platform: Platform, mode: Mode, model: ChatModel): boolean =>
  platform.providers.find(mode, model.provider)?.chat !== undefined;
