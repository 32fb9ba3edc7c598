/** A project owns keys, documents, sessions, schemas, policies, jobs, files and logs; its tier sets its limits. */

import type { GroupLimit, LimitGroup, Tier } from "../limits/tiers.ts";
import type { Budget } from "./budget-period.ts";

/** What an operator may set for one project; every member is optional. */
export type ProjectSettings = {
  /** 0 = best quality whatever it costs, 1 = cheapest. */
  qualityCost?: number;
  /** Share of routed calls that try another model to learn from it. */
  exploration?: number;
  /** Learned strengths stay as they are. */
  learningFrozen?: boolean;
  /** Refuse calls above the tier's monthly quota instead of only reporting it. */
  enforceMonthlyQuota?: boolean;
  /** What all of its keys may spend together, live and test apart. */
  budget?: Budget;
  /** What each user may spend, as far as calls name one. */
  userBudget?: Budget;
  /** If false, prompts and answers are left out of the log. */
  storeBodies?: boolean;
  logRetentionDays?: number;
  shadow?: { model: string; sampleRate: number };
  /** How long an answer is given again to the same question; absent: each question is asked anew. */
  cache?: { ttlS: number };
  /** The operator's own figures in place of the tier's. */
  limits?: Partial<Record<LimitGroup, Partial<GroupLimit>>>;
};

/** The longest time for which answers are given again: 30 days. */
export const MOST_CACHE_S = 2_592_000;

/** The settings of a project that does not set its own. */
export const DEFAULT_SETTINGS = { qualityCost: 0.5, exploration: 0.02 } as const;

const MOST_NAME_CHARACTERS = 100;
/** Names of projects and keys. `.` and `..` could not be part of a URL. */
export const NAME_RULE = `one line of 1 to ${MOST_NAME_CHARACTERS} characters, without spaces around it, and neither "." nor ".."`;
const NAME = /^(?!\.{1,2}$)[^\s\x00-\x1f\x7f]([^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?$/;

export const isName = (text: string): boolean => text.length <= MOST_NAME_CHARACTERS && NAME.test(text);

export type Project = { id: string; name: string; tier: Tier; settings: ProjectSettings; createdAtMs: number };
