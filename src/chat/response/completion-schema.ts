/** The answers of the chat routes (spec.md "Chat response", decisions §5). */

import { type Static, Type } from "@sinclair/typebox";
import { TASK_TYPES } from "../../catalog/task-type.ts";
import { orNull } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import { ContentEvaluationSchema, PolicyEvaluationSchema } from "../../policies/evaluation-schemas.ts";
import type { HealthState } from "../../providers/health/model-breaker.ts";
import type { FinishReason } from "../../providers/provider.ts";

const text = Type.String();
const number = Type.Number();
const integer = Type.Integer();
const boolean = Type.Boolean();

export const CostWarning = Type.Object({
  ceiling_usd: number,
  optimal_model: text,
  optimal_cost_usd: number,
  selected_model: text,
  estimated_cost_usd: number,
  message: text,
});
export type CostWarning = Static<typeof CostWarning>;

const CandidateSchema = Type.Object({
  model: text,
  provider: text,
  score: number,
  expected_quality: number,
  estimated_cost_usd: number,
  estimated_latency_ms: integer,
  health: oneOf<HealthState>(["healthy", "degraded", "down"]),
  learned_from: Type.Optional(
    Type.Integer({ description: "Number of this deployment's own outcomes behind `expected_quality`" }),
  ),
});

const Usage = Type.Object({
  prompt_tokens: integer,
  completion_tokens: integer,
  total_tokens: integer,
  prompt_tokens_details: Type.Object({ cached_tokens: integer, cache_write_tokens: integer, audio_tokens: integer }),
  completion_tokens_details: Type.Object({ reasoning_tokens: integer }),
});

const Citation = Type.Object({
  index: Type.Integer({
    description: "The number under which the model sees the passage, or the whole document: «[2]» in its answer",
  }),
  document_id: text,
  chunk_id: text,
  filename: text,
  page: integer,
  score: number,
});

/** The `svc` object, the same for every API. */
export const Svc = Type.Object({
  request_id: Type.String({ description: "Also the log's `call_id`, and X-Svc-Request-Id" }),
  task_type: oneOf(TASK_TYPES),
  complexity: number,
  model_selected: text,
  latency_ms: integer,
  fallback_used: boolean,
  validation_passed: boolean,
  cost_usd: number,
  total_usage: Type.Optional(
    Type.Object(Usage.properties, {
      description:
        "Present if the call used other tokens than `usage` says: more for discarded attempts, judges or summaries, none for an answer given again",
    }),
  ),
  cache: Type.Optional(
    Type.Object(
      { hit: Type.Literal(true), call_id: text, age_s: integer },
      { description: "Present if an earlier call's answer was given again" },
    ),
  ),
  document_id: Type.Optional(text),
  session_id: Type.Optional(text),
  citations: Type.Optional(Type.Array(Citation)),
  schema_validation: Type.Optional(Type.Object({ enabled: boolean, passed: boolean, repaired: Type.Optional(Type.Array(text)) })),
  media: Type.Optional(
    Type.Object({
      type: oneOf(["image", "video", "speech"]),
      model: text,
      url: Type.Optional(text),
      job_id: Type.Optional(text),
      cost_usd: number,
    }),
  ),
  cost_warning: Type.Optional(CostWarning),
  policy_evaluation: Type.Optional(PolicyEvaluationSchema),
  content_evaluation: Type.Optional(ContentEvaluationSchema),
  context: Type.Optional(Type.Object({ compressed: boolean, original_tokens: integer, final_tokens: integer })),
  ignored_parameters: Type.Optional(Type.Array(text)),
  routing: Type.Object({
    first_choice: text,
    reason: text,
    confidence: number,
    candidates: Type.Array(CandidateSchema),
  }),
});
export type Svc = Static<typeof Svc>;

const ToolCallSchema = Type.Union([
  Type.Object({ id: text, type: Type.Literal("function"), function: Type.Object({ name: text, arguments: text }) }),
  Type.Object({ id: text, type: Type.Literal("custom"), custom: Type.Object({ name: text, input: text }) }),
]);

export const Completion = Type.Object({
  id: text,
  object: Type.Literal("chat.completion"),
  created: integer,
  model: text,
  choices: Type.Array(
    Type.Object({
      index: integer,
      message: Type.Object({
        role: Type.Literal("assistant"),
        content: orNull(text),
        refusal: orNull(text),
        reasoning_content: Type.Optional(
          Type.String({ description: "What the model thought, if its vendor tells; absent if a content policy reviews answers" }),
        ),
        images: Type.Optional(
          Type.Array(Type.Object({ type: Type.Literal("image_url"), index: integer, image_url: Type.Object({ url: text }) }), {
            description: "What the model drew, mostly as data: URLs",
          }),
        ),
        tool_calls: Type.Optional(Type.Array(ToolCallSchema)),
        annotations: Type.Optional(
          Type.Array(
            Type.Object({
              type: Type.Literal("url_citation"),
              url_citation: Type.Object({ url: text, title: text, start_index: integer, end_index: integer }),
            }),
            { description: "Sources of a model that searches by itself; absent if a content policy reviews answers" },
          ),
        ),
        function_call: Type.Optional(
          Type.Object({ name: text, arguments: text }, { description: "Present if the request has `functions`" }),
        ),
      }),
      logprobs: Type.Null(),
      finish_reason: oneOf<FinishReason | "function_call">(["stop", "length", "tool_calls", "content_filter", "function_call"]),
    }),
  ),
  usage: Usage,
  svc: Svc,
});
export type Completion = Static<typeof Completion>;

export const RouteExplanation = Type.Object({
  task_type: oneOf(TASK_TYPES),
  complexity: number,
  confidence: number,
  media: oneOf(["none", "image", "video", "speech"]),
  detected_format: text,
  model: Type.Union([text, Type.Null()], { description: "null if a policy refuses the call" }),
  provider: Type.Optional(text),
  estimated_cost_usd: Type.Optional(number),
  estimated_latency_ms: Type.Optional(orNull(integer)),
  fallbacks: Type.Optional(Type.Array(text)),
  reason: text,
  cost_warning: Type.Optional(CostWarning),
  policy_evaluation: Type.Optional(PolicyEvaluationSchema),
  content_evaluation: Type.Optional(ContentEvaluationSchema),
  decision_factors: Type.Optional(Type.Object({}, { additionalProperties: true, description: "As in the log's detail" })),
});
export type RouteExplanation = Static<typeof RouteExplanation>;
