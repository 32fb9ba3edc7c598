/** `signalbox route "prompt"`: the decision `POST /v1/route` would give, in words or as JSON; nothing is stored. */

import type { Caller } from "../../accounts/authenticate.ts";
import { operatorKey } from "../../accounts/operator.ts";
import type { Project } from "../../accounts/project.ts";
import { explainCall } from "../../chat/explain-call.ts";
import { readChatBody } from "../../chat/request/read-chat-body.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import { DEFAULT_TIER } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { type Given, tell, UsageError } from "../command.ts";
import { withModels } from "../with-platform.ts";
import { hasLiveModel } from "./first-start.ts";

/**
 * The providers and models are those of a server on this file, the project one without policies and experience. Without any configured
 * provider, the whole catalog is available, as for a test key.
 */
export const explainPrompt = async (given: Given, environment: Environment): Promise<number> => {
  const [prompt] = given.positionals;
  if (prompt === undefined) throw new UsageError('Give the prompt: route "Why is the sky blue?"');
  return withModels(readConfig(environment, given.values), async (platform) => {
    const body = { messages: [{ role: "user" as const, content: prompt }] };
    const decision = await explainCall(platform, callerFor(platform), readChatBody(body, "/v1/route"));
    return tell(given, decision, inWords(decision));
  });
};

const callerFor = (platform: Platform): Caller => {
  const mode = hasLiveModel(platform) ? "live" : "test";
  const now = platform.clock.now();
  const project: Project = { id: "route", name: "route", tier: DEFAULT_TIER, settings: {}, createdAtMs: now };
  return {
    requestId: "route",
    project,
    key: operatorKey("route", project, mode),
    mode,
    startedAtMs: now,
    startedAt: performance.now(),
    ip: null,
    userAgent: null,
    traceparent: null,
    origin: "http://localhost",
  };
};

const inWords = (decision: Record<string, any>): string => {
  const candidates = (decision["decision_factors"]?.candidates ?? []) as {
    model: string;
    score: number;
    expected_quality: number;
    estimated_cost_usd: number;
  }[];
  return [
    `Task: ${decision["task_type"]} (confidence ${decision["confidence"]}), complexity ${decision["complexity"]}, media: ${decision["media"]}`,
    `Model: ${decision["model"]}`,
    decision["reason"],
    "",
    ...candidates.map(
      (each) => `  ${each.score.toFixed(3)}  ${each.model}  quality ${each.expected_quality}, ${each.estimated_cost_usd} USD`,
    ),
  ].join("\n");
};
