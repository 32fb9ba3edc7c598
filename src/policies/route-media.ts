/**
 * Routing policies on media routes, where the caller names the model: `soft_block` can only choose another upstream for it. If none is
 * left, or for `hard_block`, the call is refused (decisions §7).
 */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import type { MediaTarget } from "../catalog/media-models.ts";
import type { Platform } from "../platform.ts";
import { concludeRouting, evaluateRouting, policyBlocked } from "./evaluate-routing.ts";
import type { PolicyEvaluation } from "./evaluation-schemas.ts";
import type { RoutedModel } from "./routing-rules.ts";

type MediaRoute = {
  /** The upstreams that may be asked, in order. */
  targets: readonly MediaTarget[];
  /** Present if a routing policy is active. */
  evaluation?: PolicyEvaluation;
  /** Present if the policies refuse the call: 403 `POLICY_BLOCKED`. */
  refusal?: ApiError;
};

/** `model` is the neutral id. With a test key the sandbox answers, but policies see the real providers. */
export const routeMedia = async (
  platform: Platform,
  caller: Pick<Caller, "project" | "mode">,
  { model, targets, estimateNanoUsd }: { model: string; targets: readonly MediaTarget[]; estimateNanoUsd: number },
): Promise<MediaRoute> => {
  const { routing } = await platform.policies.of(caller.project.id);
  // What the gateway itself computes is no provider's model: nothing leaves the machine.
  if (routing === undefined || targets.every(({ provider }) => provider === "local")) return { targets };
  const configured = targets.filter(({ provider }) => platform.providers.find(caller.mode, provider) !== undefined);
  // An upstream that nobody configured is nothing that a policy could leave. If none is, the later refusal says what to set.
  const reachable = configured.length > 0 ? configured : targets;
  const [first] = reachable;
  if (first === undefined) return { targets };
  const asRouted = (target: MediaTarget): RoutedModel => ({
    id: model,
    provider: target.provider,
    names: [target.model],
    estimatedNanoUsd: estimateNanoUsd,
  });
  const verdict = evaluateRouting(routing, asRouted(first));
  const allowed = verdict.result === "hard_block" ? [] : reachable.filter((target) => routing.allows(asRouted(target)));
  const evaluation = concludeRouting(routing, verdict, asRouted(first), allowed[0] && asRouted(allowed[0]), () =>
    reachable.map(asRouted),
  );
  return { targets: allowed, evaluation, ...(allowed.length === 0 && { refusal: policyBlocked(evaluation) }) };
};
