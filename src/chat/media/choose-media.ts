/**
 * Which models may make the image, video or speech that a chat asks for: the default one, a cheaper one under a ceiling, others if policies
 * say so.
 */

import type { ApiKey } from "../../accounts/api-key.ts";
import { usableTargets } from "../../accounts/key-models.ts";
import type { ApiError } from "../../api-error.ts";
import { IMAGE_DEFAULTS, VIDEO_DEFAULTS } from "../../catalog/media-defaults.ts";
import {
  findVideoModel,
  IMAGE_MODELS,
  imageNanoUsd,
  MEDIA_MODELS,
  type MediaModel,
  type MediaTarget,
  SPEECH_MODELS,
  speechNanoUsd,
  VIDEO_MODELS,
  videoNanoUsd,
} from "../../catalog/media-models.ts";
import { targetsOf } from "../../catalog/media-targets.ts";
import type { Platform } from "../../platform.ts";
import { concludeRouting, evaluateRouting, policyBlocked } from "../../policies/evaluate-routing.ts";
import type { RoutedModel, RoutingRules } from "../../policies/routing-rules.ts";
import { type ChatRequest, MEDIA_SERVICES } from "../../providers/provider.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import { costWarning } from "../decision/note-decision.ts";
import { ceilingBelow } from "../decision/refuse-choice.ts";
import { type MediaKind, mediaPrompt, mediaWish } from "./media-prompt.ts";

export type MediaOption = {
  kind: MediaKind;
  id: string;
  /** The provider of the upstream that is asked first. */
  provider: string;
  costNanoUsd: number;
  /** The upstreams that may be asked, in order. */
  targets: readonly MediaTarget[];
};

/** The text that is sent, and the models in the order they are asked, at least one. */
export type MediaChoice = { prompt: string; options: readonly MediaOption[] };

/**
 * Notes the decision in the draft. Throws 400 if no model is cheap enough or the text is too long to speak, 403 if policies leave none. Gap:
 * spec.md does not give size, length and the like for media requested in chat; the endpoints' defaults apply. `draft`: of a call that asks
 * for media.
 */
export const chooseMedia = (
  platform: Platform,
  draft: CallDraft,
  { messages }: ChatRequest,
  rules: RoutingRules | undefined,
): MediaChoice => {
  const kind = draft.classification.media as MediaKind;
  const prompt = mediaPrompt(kind, mediaWish(platform, draft, messages));
  const isServed = ({ provider }: Pick<MediaTarget, "provider">): boolean =>
    platform.providers.find(draft.caller.mode, provider)?.[MEDIA_SERVICES[kind]] !== undefined;
  const options = optionsOf(platform, draft, kind, prompt, isServed);
  const served = options.filter(isServed);
  // If no provider is configured, the default model's error says what to set.
  const chosen = served.length > 0 ? chooseOptions(draft, served, rules) : chooseOptions(draft, options, rules).slice(0, 1);
  return { prompt, options: chosen };
};

/** Those that the key may use, the default one first, each with its cost for this prompt (as shortened by `mediaPrompt`). */
const optionsOf = (
  platform: Platform,
  { caller }: CallDraft,
  kind: MediaKind,
  prompt: string,
  isServed: (target: MediaTarget) => boolean,
): MediaOption[] => {
  const option = (model: MediaModel, costNanoUsd: number): MediaOption[] => {
    const usable = usableTargets(caller.key, model.id, targetsOf(platform.config.file, model));
    // An upstream that nobody configured is nothing that a policy could leave.
    const targets = usable.some(isServed) ? usable.filter(isServed) : usable;
    const [first] = targets;
    return first === undefined ? [] : [{ kind, id: model.id, provider: first.provider, costNanoUsd, targets }];
  };
  if (kind === "image")
    return IMAGE_MODELS.flatMap((model) => option(model, imageNanoUsd(model, IMAGE_DEFAULTS.size, IMAGE_DEFAULTS.quality)));
  if (kind === "video") {
    const usual = findVideoModel(VIDEO_DEFAULTS.model)!;
    const byDefault = [usual, ...VIDEO_MODELS.filter((model) => model !== usual)];
    return byDefault.flatMap((model) => option(model, videoNanoUsd(model, VIDEO_DEFAULTS.durationSeconds)));
  }
  return SPEECH_MODELS.flatMap((model) => option(model, speechNanoUsd(model, prompt)));
};

/** Whether the key may use any model that makes such media. */
export const mayMake = ({ config }: Platform, key: ApiKey, kind: MediaKind): boolean =>
  key.models === null ||
  MEDIA_MODELS.some((model) => model.kind === kind && usableTargets(key, model.id, targetsOf(config.file, model)).length > 0);

/** The cost of the whole call, including what a judge of the prompt has already cost. */
const callCostOf = (draft: CallDraft, { costNanoUsd }: MediaOption): number => spentNanoUsd(draft) + costNanoUsd;

const chooseOptions = (draft: CallDraft, options: readonly MediaOption[], rules: RoutingRules | undefined): MediaOption[] => {
  const [preferred, ...others] = options as [MediaOption, ...MediaOption[]];
  const ceiling = draft.input.ceilingNanoUsd;
  const affordable = [preferred, ...byPrice(others)].filter(
    (option) => ceiling === undefined || callCostOf(draft, option) <= ceiling,
  );
  if (affordable.length === 0) throw ceilingUnreachable(draft, options);
  const inOrder = rules === undefined ? affordable : underPolicies(draft, rules, options, affordable);
  const priced = (option: MediaOption) => ({ id: option.id, nanoUsd: callCostOf(draft, option) });
  if (affordable[0] !== preferred) draft.costWarning = costWarning(ceiling!, priced(preferred), priced(inOrder[0]!));
  return inOrder;
};

const byPrice = (options: readonly MediaOption[]): MediaOption[] => options.toSorted((a, b) => a.costNanoUsd - b.costNanoUsd);

const ceilingUnreachable = (draft: CallDraft, options: readonly MediaOption[]): ApiError =>
  ceilingBelow(Math.min(...options.map((option) => callCostOf(draft, option))));

const asRouted = (draft: CallDraft, option: MediaOption, provider: string): RoutedModel => ({
  id: option.id,
  provider,
  names: option.targets.filter((target) => target.provider === provider).map(({ model }) => model),
  estimatedNanoUsd: callCostOf(draft, option),
});

/** Policies apply to each upstream of a model, so that a blocked one cannot stand in for the first. */
const withinPolicies = (draft: CallDraft, option: MediaOption, rules: RoutingRules): MediaOption | undefined => {
  const targets = option.targets.filter(({ provider }) => rules.allows(asRouted(draft, option, provider)));
  const first = targets.find(({ provider }) => provider === option.provider) ?? targets[0];
  return first && { ...option, provider: first.provider, targets };
};

/** `affordable`: those of `options` that the ceiling allows, in the order they would be asked. */
const underPolicies = (
  draft: CallDraft,
  rules: RoutingRules,
  options: readonly MediaOption[],
  affordable: readonly MediaOption[],
): MediaOption[] => {
  const routed = (option: MediaOption): RoutedModel => asRouted(draft, option, option.provider);
  const chosen = routed(affordable[0]!);
  const verdict = evaluateRouting(rules, chosen);
  const allowedOf = (some: readonly MediaOption[]): MediaOption[] =>
    verdict.result === "hard_block" ? [] : some.flatMap((option) => withinPolicies(draft, option, rules) ?? []);
  const allowed = allowedOf(rules.preferCheaper ? byPrice(affordable) : affordable);
  // As in chat, a model that no policy objects to is the better replacement for one that a policy takes out.
  const pleasing = verdict.result === "soft_block" ? allowed.find((option) => rules.pleases(routed(option))) : undefined;
  const final = pleasing ?? allowed[0];
  const tooDear = final === undefined ? allowedOf(options) : [];
  if (tooDear.length > 0) throw ceilingUnreachable(draft, tooDear);
  const evaluation = concludeRouting(rules, verdict, chosen, final && routed(final), () => options.map(routed));
  draft.policyEvaluation = evaluation;
  if (final === undefined) throw policyBlocked(evaluation);
  return [final, ...allowed.filter((option) => option !== final)];
};
