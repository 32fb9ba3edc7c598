/** The models that a caller names, in `model` and `models`: which they are, and what they mean for the choice. */

import type { Caller } from "../../accounts/authenticate.ts";
import { mayUse, modelDenied } from "../../accounts/key-models.ts";
import { modelNotFound } from "../../api-error.ts";
import type { ChatModel } from "../../catalog/model.ts";
import { nearestName } from "../../config/nearest-name.ts";
import type { Platform } from "../../platform.ts";
import { type Decision, leadBy } from "../../router/choose.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { ChatInput } from "../request/chat-input.ts";

export type Named = {
  /** Asked first; undefined if the router chooses. */
  pinned: ChatModel | undefined;
  /** The pinned one, then the others in the caller's order; each once. */
  all: readonly ChatModel[];
  /** No other model may answer. */
  isExclusive: boolean;
};

/** Of a longer one no more is compared. */
const LONGEST_NAME = 100;

/** Throws 404 for a name that the catalog does not have, and 403 for a model that the key may not use. */
export const namedModels = (
  { catalog }: Platform,
  { key }: Pick<Caller, "key">,
  { pinnedModel, models = [], allowFallback }: ChatInput,
): Named => {
  const meantBy = (id: string): string | undefined =>
    nearestName(
      id.slice(0, LONGEST_NAME),
      catalog.chatModels().flatMap((model) => (mayUse(key, model) ? [model.id] : [])),
    );
  const find = (id: string, param: string): ChatModel => {
    const model = catalog.findChatModel(id);
    if (model === undefined) throw modelNotFound(id, "The model", param, meantBy(id));
    if (!mayUse(key, model)) throw modelDenied(key, model.id, param);
    return model;
  };
  const pinned = pinnedModel === undefined ? undefined : find(pinnedModel, "model");
  const others = models.map((id, index) => find(id, `models.${index}`));
  const all = [...new Set(pinned === undefined ? others : [pinned, ...others])];
  return { pinned, all, isExclusive: all.length > 0 && (pinned === undefined || !allowFallback) };
};

/** Those candidates that may answer: all of them unless the caller wants only the models named. */
export const eligible = ({ all, isExclusive }: Named, candidates: Candidate[]): Candidate[] =>
  isExclusive ? candidates.filter(({ model }) => all.includes(model)) : candidates;

/**
 * The first of the models that can take the request, if the caller pinned one: the choice without a ceiling. One whose context has no room
 * for the answer is asked only if none of the others has.
 */
export const wantedFirst = ({ pinned, all }: Named, candidates: readonly Candidate[]): Candidate | undefined => {
  if (pinned === undefined) return undefined;
  const wanted = all.flatMap((model) => candidates.filter((each) => each.model === model));
  return wanted.find(({ hasRoom }) => hasRoom) ?? wanted[0];
};

/**
 * The pinned model comes first whatever its score, then its fallbacks in the caller's order, then what else may answer. Models whose answer
 * fits the ceiling stay before the others.
 */
export const inWantedOrder = (named: Named, decision: Decision): Decision => {
  const { all } = named;
  const { fitsCeiling } = decision.ranked[0]!;
  const first = wantedFirst(
    named,
    decision.ranked.filter((each) => each.fitsCeiling === fitsCeiling),
  );
  if (first === undefined) return decision;
  const placeOf = ({ model }: Candidate): number => (all.includes(model) ? all.indexOf(model) : all.length);
  const ranked = leadBy(first, decision.ranked).sort(
    (a, b) =>
      Number(b.fitsCeiling) - Number(a.fitsCeiling) ||
      Number(first.hasRoom && b.hasRoom) - Number(first.hasRoom && a.hasRoom) ||
      placeOf(a) - placeOf(b),
  );
  const isTooDear = first !== decision.optimal;
  const reason =
    first.model === all[0]
      ? `The caller pinned ${first.model.id}.`
      : `${first.model.id} is the first of the models named that can answer: ${all[0]!.id} ${isTooDear ? "exceeds the cost ceiling" : "cannot"}.`;
  return { ...decision, ranked, reason, ceilingDecided: isTooDear, pinned: true };
};

/**
 * `bound`, the decision under the policies, without models that may not answer: if a policy took out the only model named, one other is in
 * its place. If others may answer, and none of the models named leads, the reason says why. `unbound`: the decision before the policies.
 */
export const keepToNamed = (named: Named, unbound: Decision, bound: Decision): Decision => {
  const { pinned, all, isExclusive } = named;
  const isNamed = ({ model }: Candidate): boolean => all.includes(model);
  const leads = isNamed(bound.ranked[0]!);
  if (isExclusive) return { ...bound, ranked: leads ? bound.ranked.filter(isNamed) : bound.ranked.slice(0, 1) };
  if (pinned === undefined || leads || unbound.pinned) return bound;
  const { optimal } = unbound;
  if (!isNamed(optimal)) {
    const problem = all.length === 1 ? `${pinned.id} cannot answer` : "None of the models named can answer";
    return { ...bound, reason: `${problem}. ${bound.reason}` };
  }
  // Policies that prefer other models have chosen again, without what the caller named.
  if (bound.ceilingDecided) return bound;
  return { ...bound, optimal, ceilingDecided: true, reason: `${optimal.model.id} exceeds the cost ceiling. ${bound.reason}` };
};
