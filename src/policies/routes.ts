/** `/v1/policies` and its templates (spec.md "Policy templates", decisions §7). */

import { Elysia } from "elysia";
import { notFound } from "../api-error.ts";
import { authorOf } from "../history/author.ts";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import type { Platform } from "../platform.ts";
import { changePolicy, createPolicy, requirePolicy } from "./change-policies.ts";
import { dryRun } from "./dry-run.ts";
import { deletePolicy, listPolicies } from "./store.ts";
import { findTemplate, POLICY_TEMPLATES } from "./templates.ts";
import {
  ChangePolicySchema,
  CreatePolicySchema,
  DeletedSchema,
  DryRunResultSchema,
  DryRunSchema,
  PolicyListSchema,
  PolicySchema,
  TemplateListSchema,
  TemplateSchema,
  toWirePolicy,
} from "./wire.ts";

const guard = { scope: "policies", group: "policies" } as const;

export const policyRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .get("/v1/policies/templates", () => ({ templates: POLICY_TEMPLATES }), {
      guard,
      detail: describe({ summary: "Policy templates", response: TemplateListSchema }),
    })
    .get("/v1/policies/templates/:slug", ({ params }) => requireTemplate(params.slug), {
      guard,
      detail: describe({ summary: "One policy template", response: TemplateSchema }),
    })
    .post(
      "/v1/policies",
      async ({ caller, request, set }) => {
        const policy = await createPolicy(platform, caller, await readJson(request, CreatePolicySchema));
        set.status = 201;
        return toWirePolicy(policy);
      },
      {
        guard,
        detail: describe({ summary: "Store a policy", body: CreatePolicySchema, response: PolicySchema, status: 201 }),
      },
    )
    .get(
      "/v1/policies",
      async ({ caller }) => {
        const policies = await listPolicies(platform.db, caller.project.id);
        return { policies: policies.map(toWirePolicy), total: policies.length };
      },
      { guard, detail: describe({ summary: "Policies in order of evaluation", response: PolicyListSchema }) },
    )
    .get(
      "/v1/policies/:id",
      async ({ caller, params }) => toWirePolicy(await requirePolicy(platform, caller.project, params.id)),
      {
        guard,
        detail: describe({ summary: "One policy", response: PolicySchema }),
      },
    )
    .post(
      "/v1/policies/dry-run",
      async ({ caller, request }) => dryRun(platform, caller, await readJson(request, DryRunSchema), request.signal),
      {
        guard,
        detail: describe({
          summary: "What a policy would have done to the last calls",
          body: DryRunSchema,
          response: DryRunResultSchema,
          errors: [404],
        }),
      },
    )
    .patch(
      "/v1/policies/:id",
      async ({ caller, params, request }) =>
        toWirePolicy(await changePolicy(platform, caller, params.id, await readJson(request, ChangePolicySchema))),
      {
        guard,
        detail: describe({ summary: "Change a policy", body: ChangePolicySchema, response: PolicySchema }),
      },
    )
    .delete(
      "/v1/policies/:id",
      async ({ caller, params }) => {
        const by = authorOf(caller, platform.clock.now());
        if (!(await deletePolicy(platform.db, by, caller.project.id, params.id))) throw notFound("The policy");
        platform.policies.forget(caller.project.id);
        return { id: params.id, deleted: true };
      },
      { guard, detail: describe({ summary: "Delete a policy", response: DeletedSchema }) },
    );

const requireTemplate = (slug: string) => {
  const template = findTemplate(slug);
  if (template === undefined) throw notFound("The policy template");
  return template;
};
