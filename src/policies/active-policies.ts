/** The policies that hold for a project right now, compiled. Compiled rules are kept until any of its policies changes, in this process or another. */

import { type Db, SEEN_WITHIN_MS } from "../database/database.ts";
import { type ContentRules, compileContentPolicies, compileLogRules } from "./content/content-rules.ts";
import type { ContentPolicy, Policy, RoutingPolicy } from "./policy.ts";
import { combineRoutingPolicies, type RoutingRules } from "./routing-rules.ts";
import { listPolicies, stampOfPolicies } from "./store.ts";

/** Members are undefined where no enabled policy of that kind exists: the call then has no evaluation of it. */
export type ActivePolicies = {
  /** Another one whenever a policy has changed. */
  stamp: string;
  routing?: RoutingRules;
  /** Rules for the model's output. Also set if a content policy is active that looks at no answers. */
  output?: ContentRules;
  /** Rules for the caller's prompt. Only set if a policy has `evaluate_input`. */
  input?: ContentRules;
  /** Rules for what the logs store. Only set if a policy has `redact_logs`. */
  logs?: ContentRules;
};

const REMEMBERED_PROJECTS = 1_000;

export type ActivePoliciesOf = {
  of(projectId: string): Promise<ActivePolicies>;
  /** Call it after this process changed a policy, so that the next call reads them again. */
  forget(projectId: string): void;
};

export const createActivePolicies = (db: Db): ActivePoliciesOf => {
  const remembered = new Map<string, { stamp: string; lookedAt: number; active: ActivePolicies }>();
  return {
    of: async (projectId) => {
      const now = performance.now();
      const known = remembered.get(projectId);
      if (known !== undefined && now - known.lookedAt < SEEN_WITHIN_MS) return known.active;
      const stamp = stampOfPolicies(db, projectId);
      if (known?.stamp === stamp) {
        known.lookedAt = now;
        return known.active;
      }
      const active = { stamp, ...compile(await listPolicies(db, projectId)) };
      if (remembered.size >= REMEMBERED_PROJECTS) remembered.clear();
      remembered.set(projectId, { stamp, lookedAt: now, active });
      return active;
    },
    forget: (projectId) => void remembered.delete(projectId),
  };
};

const compile = (stored: readonly Policy[]): Omit<ActivePolicies, "stamp"> => {
  const enabled = stored.filter((policy) => policy.enabled);
  const routing = enabled.filter((policy): policy is RoutingPolicy => policy.type === "routing");
  const content = enabled.filter((policy): policy is ContentPolicy => policy.type === "content");
  const logs = compileLogRules(content);
  return {
    ...(routing.length > 0 && { routing: combineRoutingPolicies(routing) }),
    ...(content.length > 0 && { output: compileContentPolicies(content) }),
    ...(content.some(({ config }) => config.evaluate_input) && { input: compileContentPolicies(content, "pre_request") }),
    ...(logs !== undefined && { logs }),
  };
};
