/** Policies as tests need them: a config and defaults for the rest. */
import type { ContentPolicy, ContentPolicyConfig, RoutingPolicy, RoutingPolicyConfig } from "../../src/policies/policy.ts";

const frame = (id: string) => ({
  id,
  name: `policy ${id}`,
  priority: 100,
  enabled: true,
  template: null,
  createdAtMs: 0,
  updatedAtMs: 0,
});

export const contentPolicy = (config: ContentPolicyConfig, id = "pol_1"): ContentPolicy => ({
  ...frame(id),
  type: "content",
  config,
});
export const routingPolicy = (config: RoutingPolicyConfig, id = "pol_1"): RoutingPolicy => ({
  ...frame(id),
  type: "routing",
  config,
});
