/**
 * The story of every media and search call: what it counts and may cost, what policies say of it, what is made, and its row, which is
 * written before the answer is sent.
 */

import { type Caller, onBehalfOf } from "../accounts/authenticate.ts";
import { modelDenied, usableTargets } from "../accounts/key-models.ts";
import { ApiError } from "../api-error.ts";
import type { MediaModel, MediaTarget } from "../catalog/media-models.ts";
import { targetsOf } from "../catalog/media-targets.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { LimitGroup } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { reviewPrompts } from "../policies/content/review-prompt.ts";
import type { ContentEvaluation } from "../policies/evaluation-schemas.ts";
import { routeMedia } from "../policies/route-media.ts";
import { type TargetsOutcome, wasAbandoned } from "../providers/targets/targets-call.ts";
import { type PromptCall, recordPromptCall } from "./record-prompt-call.ts";

type Order = Pick<PromptCall, "route" | "userId" | "asked"> & {
  /** What is sent: policies review each. */
  texts: readonly string[];
  /** Behind a media model stand upstreams, to which routing policies apply; a search has a name only. */
  model: MediaModel | { kind: "search"; id: string };
  /** Those of the model's upstreams that can do what is asked; by default all. */
  targets?: readonly MediaTarget[];
  /** The highest possible cost; refused at once if a budget does not cover it. */
  estimateNanoUsd: number;
  /** What the request counts, where its route has not counted it as one. Given back if nothing was made. */
  counts?: { group: LimitGroup; amount: number };
};

/** The order of a call with the upstreams that policies allow it, in the order in which they are asked. */
export type Routed<Asked> = Asked & { targets: readonly MediaTarget[] };

export type AllowedPrompt = {
  /** The prompt, or all texts (of which it is the first), as policies allow them, and the upstreams that they allow. */
  prompt: string;
  texts: readonly string[];
  targets: readonly MediaTarget[];
  /** What the policies found in the prompt, if they reviewed it. */
  found: ContentEvaluation | undefined;
};

type Make<T> = (allowed: AllowedPrompt) => Promise<TargetsOutcome<T>>;

type PromptCallFrame<T> = Order & {
  /** Asks the upstreams. */
  make: Make<T>;
  /** The answer's status; 200 by default. */
  status?: number;
  /** What the log shows of the answer, and an error if it must be withheld. */
  settle(value: T): Pick<PromptCall, "outputText" | "contentEvaluation" | "tokens"> & { refusal?: ApiError };
};

/** `latencyMs`: as logged. */
export type Served<T> = T & { latencyMs: number };

/** Throws the error once it is in the ledger. */
export const servePromptCall = async <T extends { costNanoUsd: number }>(
  platform: Platform,
  caller: Caller,
  { status = 200, make, settle, ...order }: PromptCallFrame<T>,
): Promise<Served<T>> => {
  const { call, attempts, value } = await makeForPrompt(platform, caller, order, make);
  const { refusal, contentEvaluation = call.said.contentEvaluation, ...shown } = settle(value);
  const end = { attempts, costNanoUsd: value.costNanoUsd, ...shown, contentEvaluation };
  if (refusal !== undefined) return call.refuse(refusal, end);
  return { ...value, latencyMs: await call.end({ ...end, status }) };
};

type Made<T> = Extract<TargetsOutcome<T>, { ok: true }> & { call: OpenCall };

/**
 * Up to what was made; whoever asks for it ends the call. Throws 403 for a model that the key may not use, the error of a limit or budget,
 * and any other once it is in the ledger.
 */
export const makeForPrompt = async <T>(platform: Platform, caller: Caller, order: Order, make: Make<T>): Promise<Made<T>> => {
  const { counts, estimateNanoUsd } = order;
  // Before policies, as in chat: what they refuse has a row in the log, so the minute must hold it.
  if (counts) platform.limits.admit(caller, counts.group, counts.amount);
  // With a long upload the call may have begun on the day before.
  const countedAtMs = platform.clock.now();
  let isDue = false;
  try {
    const targets = requireTargets(platform, caller, order);
    const call = openCall(platform, caller, order);
    const outcome = await review(platform, caller, { ...order, targets }, call)
      .then(make)
      .catch(call.fail);
    const { attempts } = outcome;
    isDue = outcome.ok || wasAbandoned(attempts);
    if (outcome.ok) return { ...outcome, call };
    const owed = isDue ? estimateNanoUsd : 0;
    return await call.refuse(outcome.error, { attempts, cancelled: outcome.cancelled, costNanoUsd: owed });
  } finally {
    if (counts && !isDue) platform.limits.refund(caller, counts.group, counts.amount, countedAtMs);
  }
};

const requireTargets = ({ config }: Platform, { key }: Caller, { model, targets }: Order): readonly MediaTarget[] => {
  const all = model.kind === "search" ? [] : (targets ?? targetsOf(config.file, model));
  const usable = usableTargets(key, model.id, all);
  if (usable.length === 0 && all.length > 0) throw modelDenied(key, model.id);
  return usable;
};

type OpenCall = {
  /** What policies say of it. */
  said: Pick<PromptCall, "policyEvaluation" | "contentEvaluation">;
  /** Writes the row. Resolves with the latency in milliseconds, as logged. */
  end(how: Pick<PromptCall, "attempts" | "status" | "costNanoUsd" | "outputText"> & Partial<PromptCall>): Promise<number>;
  /** The same for an error, and throws it. */
  refuse(error: ApiError, how?: Partial<PromptCall>): Promise<never>;
  /** The same for what was thrown on the way: a refusal, such as a limit's, has no row, and what nobody foresaw has one. */
  fail(error: unknown): Promise<never>;
};

/** Reserves the budget, until the row is written. */
const openCall = (platform: Platform, caller: Caller, order: Order): OpenCall => {
  const { model, texts, estimateNanoUsd, route, userId, asked } = order;
  const promptText = texts.join("\n").slice(0, BOUNDS.loggedTextCharacters);
  const about = { route, userId, kind: model.kind, model: model.id, promptText, ...(asked && { asked }) };
  const { release } = platform.budgets.reserve(onBehalfOf(caller, userId), estimateNanoUsd);
  const said: OpenCall["said"] = {};
  const end: OpenCall["end"] = (how) => recordPromptCall(platform, caller, { ...about, ...said, ...how }).finally(release);
  const refuse: OpenCall["refuse"] = async (error, how = {}) => {
    await end({ attempts: [], costNanoUsd: 0, outputText: "", ...how, status: error.status, error });
    throw error;
  };
  const fail = async (error: unknown): Promise<never> => {
    if (error instanceof ApiError) release();
    else await refuse(new ApiError("server_error", "unexpected")).catch(() => undefined);
    throw error;
  };
  return { said, end, refuse, fail };
};

/** Routing policies say which upstreams may be asked, content policies what may be sent. */
const review = async (
  platform: Platform,
  caller: Caller,
  { model, targets, texts: sent, estimateNanoUsd }: Routed<Order>,
  { said, refuse }: OpenCall,
): Promise<AllowedPrompt> => {
  const route = await routeMedia(platform, caller, { model: model.id, targets, estimateNanoUsd });
  said.policyEvaluation = route.evaluation;
  if (route.refusal !== undefined) return refuse(route.refusal);
  const { texts, evaluation: found, refusal } = await reviewPrompts(platform, caller.project.id, sent);
  said.contentEvaluation = found;
  if (refusal !== undefined) return refuse(refusal);
  return { prompt: texts[0] ?? "", texts, targets: route.targets, found };
};
