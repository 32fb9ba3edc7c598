/**
 * Telemetry of the running process: instruments fed by every request and call, and spans for a collector. Never a prompt, an answer or a
 * key.
 */

import type { Config } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import { toUsd } from "../lib/money.ts";
import type { Call } from "../logs/call.ts";
import type { ProcessLog } from "../process-log.ts";
import { completionTokens, promptTokens } from "../providers/provider.ts";
import type { Alerts } from "./alerts.ts";
import { createCounter, createHistogram } from "./instruments.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import { spansOf } from "./spans-of-call.ts";

type RequestAnswered = { method: string; route: string; status: number; durationMs: number };
type Instruments = ReturnType<typeof createInstruments>;
export type Telemetry = {
  instruments: Instruments;
  requestAnswered(request: RequestAnswered): void;
  callRecorded(call: Call): void;
  /** Sends pending spans and alerts. */
  close(): Promise<void>;
};

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];
const OVERHEAD_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576];

const createInstruments = () => ({
  requests: createCounter({ name: "signalbox_requests_total", help: "Requests answered, by route and status." }),
  requestSeconds: createHistogram({
    name: "signalbox_request_duration_seconds",
    help: "Time until the answer began.",
    bounds: SECONDS,
    otlp: { name: "http.server.request.duration", unit: "s" },
  }),
  calls: createCounter({
    name: "signalbox_calls_total",
    help: "Calls in the ledger.",
    otlp: { name: "signalbox.calls", unit: "{call}" },
  }),
  cost: createCounter({
    name: "signalbox_cost_usd_total",
    help: "Cost of those calls.",
    otlp: { name: "signalbox.cost", unit: "USD" },
  }),
  cacheHits: createCounter({
    name: "signalbox_cache_hits_total",
    help: "Calls that got the answer of an earlier one.",
    otlp: { name: "signalbox.cache.hits", unit: "{call}" },
  }),
  cacheSaved: createCounter({
    name: "signalbox_cache_saved_usd_total",
    help: "What those earlier calls cost, for each time.",
    otlp: { name: "signalbox.cache.saved", unit: "USD" },
  }),
  overhead: createHistogram({
    name: "signalbox_overhead_seconds",
    help: "Time a call spent in this gateway: all of it less the waiting for providers.",
    bounds: OVERHEAD_SECONDS,
    otlp: { name: "signalbox.overhead", unit: "s" },
  }),
  upstream: createHistogram({
    name: "signalbox_upstream_duration_seconds",
    help: "Time a provider took for one attempt.",
    bounds: SECONDS,
    otlp: { name: "gen_ai.client.operation.duration", unit: "s" },
  }),
  tokens: createHistogram({
    name: "signalbox_tokens",
    help: "Tokens a call, by type.",
    bounds: TOKENS,
    otlp: { name: "gen_ai.client.token.usage", unit: "{token}" },
  }),
});

export const createTelemetry = (
  { otlp }: Pick<Config, "otlp">,
  clock: Clock,
  log: ProcessLog,
  alerts: Alerts | undefined,
): Telemetry => {
  const instruments = createInstruments();
  const exporter = otlp && createOtlpExporter(otlp, Object.values(instruments), clock, log);
  return {
    instruments,
    requestAnswered: ({ method, route, status, durationMs }) => {
      instruments.requests.add({ method, route, status: String(status) });
      instruments.requestSeconds.record({ method, route }, durationMs / 1000);
    },
    callRecorded: (call) => {
      count(instruments, call);
      if (exporter !== undefined && call.trace?.sampled !== false) exporter.addSpans(spansOf(call));
    },
    close: async () => {
      await Promise.all([exporter?.close(), alerts?.close()]);
    },
  };
};

const count = (instruments: Instruments, call: Call): void => {
  const labels = { kind: call.kind, mode: call.mode, provider: call.provider ?? "", model: call.model ?? "" };
  instruments.calls.add({ ...labels, status: call.status < 400 ? "success" : "failure", error_type: call.errorType ?? "" });
  instruments.cost.add(labels, toUsd(call.costNanoUsd));
  if (call.reused !== undefined) {
    instruments.cacheHits.add(labels);
    instruments.cacheSaved.add(labels, toUsd(call.reused.savedNanoUsd));
  }
  instruments.overhead.record({ kind: call.kind }, Math.max(0, call.completedAtMs - call.startedAtMs - call.upstreamMs) / 1000);
  for (const attempt of call.attempts) {
    instruments.upstream.record(
      { kind: call.kind, provider: attempt.provider, model: attempt.model, error_type: attempt.failure ?? "" },
      attempt.latencyMs / 1000,
    );
  }
  const tokens = { input: promptTokens(call.usage), output: completionTokens(call.usage) };
  for (const type of ["input", "output"] as const) {
    if (tokens[type] > 0) instruments.tokens.record({ ...labels, type }, tokens[type]);
  }
};
