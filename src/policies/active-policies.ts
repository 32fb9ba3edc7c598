/** The policies that hold for a project right now, compiled. Compiled rules are kept until any of its policies changes, in this process or another. */
import type { Db } from "../database/database.ts";
import { type ContentRules, compileContentPolicies, compileLogRules } from "./content-rules.ts";
import { combineRoutingPolicies, type RoutingRules } from "./evaluate-routing.ts";
import type { ContentPolicy, Policy, RoutingPolicy } from "./policy.ts";
import { listPolicies, stampOfPolicies } from "./store.ts";

/** Members are undefined where no enabled policy of that kind exists: the call then has no evaluation of it. */
export type ActivePolicies = {
  routing?: RoutingRules;
  /** For what the model wrote. Also set where no policy looks at answers but some content policy is active. */
  output?: ContentRules;
  /** For what the caller wrote. Only set where a policy has `evaluate_input`. */
  input?: ContentRules;
  /** For what is stored in the logs. Only set where a policy has `redact_logs`. */
  logs?: ContentRules;
};

const REMEMBERED_PROJECTS = 1_000;

/** One for each feature that reviews calls; `of` costs an index read while nothing changes. */
export const createActivePolicies = (db: Db): { of(projectId: string): Promise<ActivePolicies> } => {
  const remembered = new Map<string, { stamp: string; active: ActivePolicies }>();
  return {
    of: async (projectId) => {
      const stamp = stampOfPolicies(db, projectId);
      const known = remembered.get(projectId);
      if (known?.stamp === stamp) return known.active;
      const active = stamp === "" ? {} : compile(await listPolicies(db, projectId));
      if (remembered.size >= REMEMBERED_PROJECTS) remembered.clear();
      remembered.set(projectId, { stamp, active });
      return active;
    },
  };
};

const compile = (stored: readonly Policy[]): ActivePolicies => {
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
