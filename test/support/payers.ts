/** Those who pay for a call, for tests that ask the budgets themselves. */

import type { ApiKey } from "../../src/accounts/api-key.ts";
import type { Payers } from "../../src/accounts/budgets.ts";
import type { ProjectSettings } from "../../src/accounts/project.ts";

/** The key's project has no budgets but those of `settings`. */
export const payersOf = (key: ApiKey, settings: ProjectSettings = {}, userId?: string): Payers => {
  const project = { id: key.projectId, name: "paying", tier: "enterprise", settings, createdAtMs: 0 } as const;
  return { key, project, mode: "live", ...(userId !== undefined && { userId }) };
};
