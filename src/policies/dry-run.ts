/** What a policy would have done to the latest calls in the log. Nothing is stored or sent, and only counts and call ids are returned. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../accounts/authenticate.ts";
import { invalidRequest } from "../api-error.ts";
import { MEDIA_MODELS } from "../catalog/media-models.ts";
import { targetsOf } from "../catalog/media-targets.ts";
import { toIso } from "../lib/clock.ts";
import { type RecentCall, recentCalls } from "../logs/recent-calls.ts";
import type { Platform } from "../platform.ts";
import { readPolicyFrame, requirePolicy, requirePolicyTier } from "./change-policies.ts";
import { mergeEvaluations } from "./content/content-evaluation.ts";
import { compileContentPolicies } from "./content/content-rules.ts";
import { reviewInSteps } from "./content/review-json.ts";
import { evaluateRouting } from "./evaluate-routing.ts";
import type { ContentPolicy, Policy, RoutingPolicy } from "./policy.ts";
import { combineRoutingPolicies } from "./routing-rules.ts";
import { type DryRunResultSchema, type DryRunSchema, USUAL_LAST_N } from "./wire.ts";

type DryRunOrder = Static<typeof DryRunSchema>;
type DryRunResult = Static<typeof DryRunResultSchema>;
type CallVerdict = DryRunResult["calls"][number];

/** How many of the affected calls are named. */
const MOST_NAMED = 100;

/** Undefined if the call cannot be judged: no model answered it that policies speak of, or its texts are not stored. */
type Judge = (call: RecentCall) => Verdict | undefined | Promise<Verdict | undefined>;
type Verdict = Omit<CallVerdict, "call_id" | "timestamp" | "model">;

/**
 * The model that answered stands for the router's choice, with its actual cost and latency. No policy forbids web search or the local
 * encoder.
 */
const routingJudge = (platform: Platform, policy: RoutingPolicy): Judge => {
  const rules = combineRoutingPolicies([policy]);
  return ({ kind, model: id, provider, costNanoUsd: estimatedNanoUsd, latencyMs: expectedLatencyMs }) => {
    if (id === null || provider === null || provider === "local" || kind === "search") return undefined;
    return evaluateRouting(rules, {
      id,
      provider,
      names: otherNames(platform, id, provider),
      estimatedNanoUsd,
      expectedLatencyMs,
    });
  };
};

/** By which lists may name a model, too: of media what the provider calls it. */
const otherNames = ({ catalog, config }: Platform, id: string, provider: string): string[] => {
  const media = MEDIA_MODELS.find((model) => model.id === id);
  const target = media && targetsOf(config.file, media).find((each) => each.provider === provider);
  if (target !== undefined) return [target.model];
  const chat = catalog.findChatModel(id);
  if (chat !== undefined) return [chat.upstreamModel, ...(chat.aliases ?? [])];
  const embedding = catalog.findEmbeddingModel(id);
  return embedding === undefined ? [] : [embedding.upstreamModel];
};

/** Other calls found pages, or made something that the log names by a link (whose host may be a number), an id or its size. */
const hasModelText = ({ kind }: RecentCall): boolean => kind === "chat" || kind === "transcription";

/** Criteria are not judged, because that would cost a model call each. */
const contentJudge = (policy: ContentPolicy, signal: AbortSignal): Judge => {
  const output = compileContentPolicies([policy]);
  const input = compileContentPolicies([policy], "pre_request");
  return async (call) => {
    if (call.output === undefined) return undefined;
    const answer = await reviewInSteps(output, hasModelText(call) ? call.output : "", false, signal);
    const prompt = await reviewInSteps(input, call.prompt ?? "", false, signal);
    const { result, pii_count } = mergeEvaluations(answer.evaluation, prompt.evaluation);
    const found: Record<string, number> = {};
    for (const { type } of [...answer.findings, ...prompt.findings]) found[type] = (found[type] ?? 0) + 1;
    return { result, pii_count, found };
  };
};

const policyOf = async (platform: Platform, caller: Caller, order: DryRunOrder): Promise<Policy> => {
  const { policy_id: id, last_n: _, ...given } = order;
  if (id !== undefined) {
    if (Object.keys(given).length > 0)
      throw invalidRequest("`policy_id` stands alone: the stored policy says the rest.", "policy_id");
    return requirePolicy(platform, caller.project, id);
  }
  const frame = readPolicyFrame({ name: "dry run", ...given });
  return { ...frame, id: "dry_run", priority: 0, enabled: true, createdAtMs: 0, updatedAtMs: 0 } as Policy;
};

/** Looks at calls of the key's own mode, newest first, until the caller leaves. */
export const dryRun = async (
  platform: Platform,
  caller: Caller,
  order: DryRunOrder,
  signal: AbortSignal,
): Promise<DryRunResult> => {
  const policy = await policyOf(platform, caller, order);
  requirePolicyTier(caller.project, policy.type);
  const judge = policy.type === "routing" ? routingJudge(platform, policy) : contentJudge(policy, signal);
  const result: DryRunResult = {
    policy_type: policy.type,
    config: policy.config,
    calls_read: 0,
    calls_evaluated: 0,
    results: {},
    calls: [],
  };
  for await (const call of recentCalls(platform, caller.project.id, caller.mode, order.last_n ?? USUAL_LAST_N)) {
    result.calls_read++;
    const verdict = await judge(call);
    if (verdict === undefined) continue;
    result.calls_evaluated++;
    result.results[verdict.result] = (result.results[verdict.result] ?? 0) + 1;
    if (isQuiet(verdict) || result.calls.length >= MOST_NAMED) continue;
    result.calls.push({ call_id: call.id, timestamp: toIso(call.startedAtMs), model: call.model, ...verdict });
  }
  return result;
};

const isQuiet = ({ result, violations = [], found = {} }: Verdict): boolean =>
  result === "allow" && violations.length === 0 && Object.keys(found).length === 0;
