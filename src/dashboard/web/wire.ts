/** The public API's answers as the pages read them (spec.md "Metrics", "Logs", …); named here where the server's schemas are illustrative. */

export type DailyFigures = {
  date: string;
  total_calls: number;
  total_cost_usd: number;
  avg_latency_ms: number | null;
  success_rate: number | null;
};

export type MetricsOverview = {
  summary: {
    total_calls: number;
    total_cost_usd: number;
    avg_cost_per_call: number | null;
    avg_latency_ms: number | null;
    success_rate: number | null;
  };
  routing: { accuracy: number | null; fallback_rate: number | null; retry_rate: number | null };
  models: Record<string, { calls: number; percentage: number; avg_cost: number | null; avg_latency_ms: number | null }>;
  task_distribution: Record<string, number>;
};

export type MetricsCustomer = {
  cost_analysis: {
    current_month: number;
    previous_month: number;
    projected_month_end: number;
    vs_gpt4o_only: { cost_if_gpt4o: number; savings_usd: number; savings_percentage: number };
  };
};

export type MetricsPerformance = {
  recommendations: {
    task_type: string;
    current_model: string;
    recommended_model: string;
    potential_savings_usd: number;
    quality_improvement: number;
  }[];
};

export type LogEntry = {
  call_id: string;
  timestamp: string;
  prompt: { text: string | null; length: number };
  classification: { task_type: string | null; complexity_score: number | null; confidence: number | null };
  routing: {
    model_selected: string | null;
    fallback_model: string | null;
    routing_reason: string | null;
    provider: string | null;
    first_choice: string | null;
  };
  execution: {
    latency_ms: number;
    input_tokens: number;
    output_tokens: number;
    total_tokens: number;
    cost_usd: number;
    success: boolean;
    status: number;
    error_type: string | null;
    streamed: boolean;
    first_token_ms: number | null;
    overhead_ms: number;
    usage_source: string;
  };
  quality: {
    validation_passed: boolean | null;
    retry_count: number;
    fallback_used: boolean;
    cost_warning_triggered: boolean;
    output_quality_score: number | null;
  };
  output: { text: string | null; length: number };
  metadata: {
    user_id: string | null;
    session_id: string | null;
    mode: string;
    kind: string;
    endpoint: string;
    api_key_hash: string;
    custom: Record<string, string>;
  };
};

export type LogPage = {
  total: number;
  limit: number;
  offset: number;
  logs: LogEntry[];
  pagination: { has_more: boolean; next_offset: number | null };
};

export type Attempt = {
  attempt_number: number;
  model: string;
  provider: string;
  purpose: "first" | "retry" | "fallback";
  success: boolean;
  latency_ms: number;
  cost_usd: number;
  failure: string | null;
  failure_message: string | null;
  upstream_status: number | null;
  input_tokens: number;
  output_tokens: number;
};

type Candidate = {
  model: string;
  provider: string;
  score: number;
  expected_quality: number;
  estimated_cost_usd: number;
  estimated_latency_ms: number;
  health: string;
};

export type DecisionFactors = {
  first_choice?: string;
  reason?: string;
  confidence?: number;
  candidates?: Candidate[];
  task_type?: string;
  complexity?: number;
  quality_cost?: number;
  prompt_tokens?: number;
  evidence?: Record<string, unknown>;
  [name: string]: unknown;
};

export type PolicyEvaluation = {
  result: string;
  violations: { policy_name: string; rule: string; message: string; action?: string }[];
  modifications: { type: string; from: string; to: string; reason: string }[];
  policies_evaluated: string[];
  policies_matched: string[];
};

export type ContentEvaluation = {
  result: string;
  phase: string;
  pii_detected: boolean;
  pii_count: number;
  redacted: boolean;
  criteria_passed: number;
  criteria_failed: number;
};

export type LogDetail = LogEntry & {
  prompt: { message_count: number; messages: { role: string; content: unknown }[] | null };
  classification: { detected_format: string | null };
  routing: { decision_factors: DecisionFactors | null };
  execution: {
    attempts: Attempt[];
    error_message: string | null;
    cancelled: boolean;
    cached_input_tokens: number;
    reasoning_tokens: number;
  };
  quality: {
    validation_checks: Record<string, boolean | null>;
    cost_warning: { message?: string } | null;
    feedback: { score: number; comment: string | null } | null;
  };
  output: { parsed_json: unknown };
  metadata: { request_ip: string | null; user_agent: string | null; redacted: boolean };
  policies: { policy_evaluation: PolicyEvaluation | null; content_evaluation: ContentEvaluation | null };
  shadow_call: {
    executed: boolean;
    shadow_model: string | null;
    shadow_cost_usd: number | null;
    shadow_latency_ms: number | null;
    quality_comparison: string | null;
  };
};

export type Svc = {
  request_id: string;
  task_type: string;
  complexity: number;
  model_selected: string;
  latency_ms: number;
  fallback_used: boolean;
  validation_passed: boolean;
  cost_usd: number;
  schema_validation?: { enabled: boolean; passed: boolean };
  cost_warning?: { message?: string };
  policy_evaluation?: PolicyEvaluation;
  content_evaluation?: ContentEvaluation;
  citations?: { document_id: string; filename: string; page: number | null; score: number }[];
  routing?: DecisionFactors;
  media?: { type: string; model: string; url?: string; job_id?: string; cost_usd: number };
};

export type RouteAnswer = {
  task_type: string;
  complexity: number;
  confidence: number;
  media: string;
  model: string;
  provider: string;
  estimated_cost_usd: number;
  estimated_latency_ms: number | null;
  reason: string;
  policy_evaluation?: PolicyEvaluation;
  /** Absent where media is asked for. */
  decision_factors?: DecisionFactors;
};

export type DocumentRow = {
  id: string;
  filename: string;
  content_type: string;
  status: "processing" | "ready" | "failed";
  file_size_bytes: number;
  collection_id: string | null;
  created_at: string;
  error_message?: string;
  page_count?: number | null;
  chunk_count?: number | null;
  progress_percent?: number;
};

export type Passage = {
  chunk_id: string;
  document_id: string;
  filename: string;
  content: string;
  score: number;
  chunk_index: number;
  page?: number | null;
};

export type SessionRow = {
  session_id: string;
  message_count: number;
  token_count: number;
  summarized: boolean;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
};
export type SessionDetail = SessionRow & {
  summary: string | null;
  messages: { role: string; content: unknown; created_at: string }[];
};

export type Policy = {
  id: string;
  name: string;
  policy_type: "routing" | "content";
  config: Record<string, any>;
  priority: number;
  enabled: boolean;
  template: string | null;
};
export type PolicyTemplate = {
  slug: string;
  name: string;
  description: string;
  category: string;
  policy_type: "routing" | "content";
  config: Record<string, any>;
};

export type SavedSchema = {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  schema: object;
  version: number;
  updated_at: string;
};

export type VideoJob = {
  id: string;
  status: "pending" | "processing" | "complete" | "failed";
  model: string;
  prompt: string;
  progress_percent?: number;
  estimated_remaining_seconds?: number;
  video_url?: string;
  error_message?: string;
  estimated_cost_usd?: number;
};

export type UsageAnswer = {
  day: { calls: number; tokens: number; cost_usd: number };
  month: { calls: number; tokens: number; cost_usd: number };
  limits: Record<string, { limit: number | null; used: number; remaining: number | null; resets_at: string | null }>;
};

export type ProviderFigures = {
  status: string;
  uptime: number | null;
  avg_latency_ms: number | null;
  p95_latency_ms: number | null;
  p99_latency_ms: number | null;
  error_rate: number;
  rate_limit_hits: number;
  incidents: { started_at: string; ended_at: string; attempts: number; errors: number }[];
  total_attempts: number;
};
export type ProviderMetrics = {
  providers: Record<string, ProviderFigures>;
  recommendations: { provider: string; message: string; action: string }[];
};

export type LearnedAnswer = {
  frozen: boolean;
  exploration: number;
  strengths: {
    model: string;
    task_type: string;
    difficulty: string;
    outcomes: number;
    good: number;
    predicted: number;
    catalog_strength: number;
    strength: number;
  }[];
  paces: { model: string; calls: number; first_token_ms: number; tokens_per_second: number; factor: number }[];
};

/** `POST /v1/policies/dry-run`. */
export type DryRun = {
  calls_read: number;
  calls_evaluated: number;
  results: Record<string, number>;
  calls: {
    call_id: string;
    timestamp: string;
    model: string | null;
    result: string;
    violations?: { message: string }[];
    found?: Record<string, number>;
  }[];
};
