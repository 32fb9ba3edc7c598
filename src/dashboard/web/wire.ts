/**
 * The public API's answers: the server's own types where it has them, so that a page that reads a missing field does not compile. Only
 * the others are written out.
 */

import type { Static } from "@sinclair/typebox";
import type { RouteExplanation, Svc } from "../../chat/response/completion-schema.ts";
import type { DocumentQueryResult } from "../../documents/query/query-wire.ts";
import type { WireDocument } from "../../documents/wire.ts";
import type { LogPage as AnyPage, LogDetail as FullDetail, LogEntry } from "../../logs/wire.ts";
import type { SessionDetailSchema, toWireSession } from "../../memory/wire.ts";
import type * as metrics from "../../metrics/wire.ts";
import type { Verdicts } from "../../moderations/wire.ts";
import type { ContentEvaluation, PolicyEvaluation } from "../../policies/evaluation-schemas.ts";
import type { ContentPolicyConfig, RoutingPolicyConfig } from "../../policies/policy.ts";
import type { DryRunResultSchema, PolicySchema, TemplateSchema } from "../../policies/wire.ts";
import type { Ranking } from "../../rerank/wire.ts";
import type { toWireLearned } from "../../route/learning-routes.ts";
import type { DecisionFactors as AllFactors } from "../../router/explain.ts";
import type { SavedSchemaSchema } from "../../schemas/wire.ts";
import type { WebSearchResult } from "../../search/wire.ts";
import type { Usage } from "../../usage/wire.ts";
import type { VideoJobBody } from "../../video/wire.ts";
import type { Message } from "./message-text.ts";

export type { ContentEvaluation, LogEntry, PolicyEvaluation, Svc };

export type DailyFigures = Static<typeof metrics.Daily>["daily_data"][number];
export type MetricsFailures = Static<typeof metrics.Failures>;
export type MetricsOverview = Static<typeof metrics.Overview>;
export type MetricsCustomer = Static<typeof metrics.Customer>;
export type MetricsPerformance = Static<typeof metrics.Performance>;
export type ProviderMetrics = Static<typeof metrics.Providers>;
export type ProviderFigures = ProviderMetrics["providers"][string];
export type UsageAnswer = Static<typeof Usage>;
export type LearnedAnswer = ReturnType<typeof toWireLearned>;

/** The pages ask for the cost. */
export type LogPage = Static<typeof AnyPage> & { total_cost_usd: number };

/** Media calls, and calls refused before a model was chosen, have only some of these fields. */
export type DecisionFactors = Partial<AllFactors>;

/** The fields named here are stored as JSON, so the server has no types for them. */
export type LogDetail = Static<typeof FullDetail> & {
  prompt: { messages: Message[] | null };
  routing: { decision_factors: DecisionFactors | null };
  quality: { cost_warning: { message?: string } | null };
  policies: { policy_evaluation: PolicyEvaluation | null; content_evaluation: ContentEvaluation | null };
};
export type Attempt = LogDetail["execution"]["attempts"][number];

/** `decision_factors` is absent for media calls. */
export type RouteAnswer = RouteExplanation & { decision_factors?: DecisionFactors };

export type DocumentRow = Static<typeof WireDocument>;
export type Passage = Static<typeof DocumentQueryResult>["results"][number];

export type SessionRow = ReturnType<typeof toWireSession>;
export type SessionDetail = Static<typeof SessionDetailSchema>;

/** The options of both types of policy. */
export type PolicyConfig = RoutingPolicyConfig & ContentPolicyConfig;
type Config = { config: PolicyConfig };
export type Policy = Static<typeof PolicySchema> & Config;
export type PolicyTemplate = Static<typeof TemplateSchema> & Config;
export type DryRun = Static<typeof DryRunResultSchema>;

export type WebSearchAnswer = Static<typeof WebSearchResult>;
export type RankingAnswer = Static<typeof Ranking>;
export type VerdictsAnswer = Static<typeof Verdicts>;

export type SavedSchema = Static<typeof SavedSchemaSchema>;
export type VideoJob = Static<typeof VideoJobBody>;
