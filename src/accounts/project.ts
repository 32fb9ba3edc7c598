/** A project owns keys, documents, sessions, schemas, policies, jobs, files and logs; its tier sets its limits. */

import type { GroupLimit, LimitGroup, Tier } from "../limits/tiers.ts";

/** What an operator may set for one project; every member is optional. */
export type ProjectSettings = {
  /** 0 = best quality whatever it costs, 1 = cheapest; 0.5 unless set. */
  qualityCost?: number;
  /** Share of routed calls that try another model to learn from it; 0.02 unless set. */
  exploration?: number;
  /** Learned strengths stay as they are. */
  learningFrozen?: boolean;
  /** Refuse calls above the tier's monthly quota instead of only reporting it. */
  enforceMonthlyQuota?: boolean;
  /** False leaves prompts and answers out of the log. */
  storeBodies?: boolean;
  logRetentionDays?: number;
  shadow?: { model: string; sampleRate: number };
  /** The operator's own figures in place of the tier's. */
  limits?: Partial<Record<LimitGroup, Partial<GroupLimit>>>;
};

export type Project = { id: string; name: string; tier: Tier; settings: ProjectSettings; createdAtMs: number };
