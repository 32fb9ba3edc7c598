/** How the owner of a project creates and changes policies, from options or a template, within the tier's limits. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../accounts/authenticate.ts";
import type { Project } from "../accounts/project.ts";
import { invalidRequest, notFound } from "../api-error.ts";
import { authorOf } from "../history/author.ts";
import { newId } from "../lib/ids.ts";
import { requireFeature } from "../limits/require-tier.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { mergeConfig } from "./merge-config.ts";
import type { Policy } from "./policy.ts";
import { findPolicy, insertPolicy, updatePolicy } from "./store.ts";
import { findTemplate, type PolicyTemplate } from "./templates.ts";
import { type ChangePolicySchema, type CreatePolicySchema, readConfig } from "./wire.ts";

type NewPolicy = Static<typeof CreatePolicySchema>;
type PolicyChange = Static<typeof ChangePolicySchema>;

const DEFAULT_PRIORITY = 100;

/**
 * Not every tier has content policies; a project that was downgraded keeps its policies but may not change them (spec.md "Authentication"
 * 5).
 */
export const requirePolicyTier = (project: Project, type: Policy["type"]): void => {
  if (type === "content") requireFeature(project, "Content policies");
};

const requireTemplate = (slug: string): PolicyTemplate => {
  const template = findTemplate(slug);
  if (template === undefined) throw invalidRequest(`There is no policy template "${slug.slice(0, 100)}".`, "template");
  return template;
};

/** Throws 400 with `param`; the given config is merged over the template's. */
export const readPolicyFrame = (body: NewPolicy): Pick<Policy, "name" | "type" | "config" | "template"> => {
  const template = body.template === undefined ? undefined : requireTemplate(body.template);
  const type = template?.policy_type ?? body.policy_type;
  if (type === undefined) throw invalidRequest('`policy_type` is required: one of "routing", "content".', "policy_type");
  if (body.policy_type !== undefined && body.policy_type !== type)
    throw invalidRequest(`The template "${template?.slug}" is of type ${type}.`, "policy_type");
  const name = body.name ?? template?.name;
  if (name === undefined) throw invalidRequest("`name` is required: a string of at least 1 character.", "name");
  if (template === undefined && body.config === undefined) throw invalidRequest("`config` is required: an object.", "config");
  const config = mergeConfig(template?.config ?? {}, body.config ?? {});
  return { name, type, config: readConfig(type, config), template: template?.slug ?? null };
};

export const createPolicy = async (platform: Platform, caller: Caller, body: NewPolicy): Promise<Policy> => {
  const { project } = caller;
  const frame = readPolicyFrame(body);
  requirePolicyTier(project, frame.type);
  const now = platform.clock.now();
  const policy = {
    ...frame,
    id: newId("pol"),
    priority: body.priority ?? DEFAULT_PRIORITY,
    enabled: body.enabled ?? true,
    createdAtMs: now,
    updatedAtMs: now,
  } as Policy;
  await insertPolicy(platform.db, authorOf(caller, now), project.id, policy, TIER_LIMITS[project.tier].maxPolicies);
  platform.policies.forget(project.id);
  return policy;
};

/** Throws 404. */
export const requirePolicy = async (platform: Platform, project: Project, id: string): Promise<Policy> => {
  const policy = await findPolicy(platform.db, project.id, id);
  if (policy === undefined) throw notFound("The policy");
  return policy;
};

/** Gap: `config` is laid over the stored one as a JSON merge patch: `null` removes an option. */
export const changePolicy = async (platform: Platform, caller: Caller, id: string, change: PolicyChange): Promise<Policy> => {
  const { project } = caller;
  const by = authorOf(caller, platform.clock.now());
  const changed = await updatePolicy(platform.db, by, project.id, id, (policy) => {
    requirePolicyTier(project, policy.type);
    return {
      ...policy,
      name: change.name ?? policy.name,
      priority: change.priority ?? policy.priority,
      enabled: change.enabled ?? policy.enabled,
      config: change.config === undefined ? policy.config : readConfig(policy.type, mergeConfig(policy.config, change.config)),
      updatedAtMs: by.atMs,
    } as Policy;
  });
  if (changed === undefined) throw notFound("The policy");
  platform.policies.forget(project.id);
  return changed;
};
