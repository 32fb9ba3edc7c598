/**
 * Sends spans and instruments to an OpenTelemetry collector over HTTP, in batches and in the background. A collector that is slow
 * or gone costs nothing but the spans: the queue is bounded, the newest are dropped, and no request ever waits.
 */

import type { OtlpCollector } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import type { ProcessLog } from "../process-log.ts";
import type { Counter, Histogram } from "./instruments.ts";
import { toOtlpMetrics, toOtlpTraces } from "./otlp-json.ts";
import type { Span } from "./spans-of-call.ts";

type OtlpExporter = {
  addSpans(spans: readonly Span[]): void;
  /** Sends pending spans now; never throws. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

const TRACES = "/v1/traces";
const MOST_WAITING = 2_048;
const BATCH = 512;
const SPANS_EVERY_MS = 5_000;
const METRICS_EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;

export const createOtlpExporter = (
  collector: OtlpCollector,
  instruments: readonly (Counter | Histogram)[],
  clock: Clock,
  log: ProcessLog,
): OtlpExporter => {
  const base = collector.endpoint.replace(/\/+$/, "");
  const headers = { "content-type": "application/json", ...parsePairs(collector.headers) };
  const resource = {
    "service.name": "signalbox",
    ...parsePairs(collector.resourceAttributes),
    ...(collector.serviceName !== undefined && { "service.name": collector.serviceName }),
  };
  const startedMs = clock.now();
  let waiting: Span[] = [];
  let dropped = 0;
  /** Some collectors take traces only. */
  const failing = new Set<string>();
  let sending: Promise<void> | undefined;

  /** False if the collector did not accept it. */
  const post = async (path: string, body: unknown): Promise<boolean> => {
    try {
      const response = await fetch(`${base}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      report(path, response.ok, `status ${response.status}`);
      return response.ok;
    } catch (error) {
      report(path, false, error instanceof Error ? error.name : "unknown");
      return false;
    }
  };
  /** Logged once when trouble begins and once when it ends, not for every batch. */
  const report = (path: string, isWell: boolean, reason: string) => {
    if (isWell !== failing.has(path)) return;
    if (isWell) failing.delete(path);
    else failing.add(path);
    if (isWell) log.info("The OpenTelemetry collector takes data again", { path, dropped_spans: dropped });
    else log.warn("The OpenTelemetry collector does not take data", { path, reason });
  };

  const sendSpans = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      if (await post(TRACES, toOtlpTraces(batch, resource))) continue;
      // Kept for the next attempt, as far as there is room beside newer ones.
      dropped += Math.max(0, batch.length + waiting.length - MOST_WAITING);
      waiting = [...batch, ...waiting].slice(0, MOST_WAITING);
      return;
    }
  };
  const flush = (): Promise<void> => {
    sending ??= sendSpans().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const sendMetrics = () => post("/v1/metrics", toOtlpMetrics(instruments, startedMs, clock.now(), resource));

  const timers = [setInterval(flush, SPANS_EVERY_MS), setInterval(sendMetrics, METRICS_EVERY_MS)];
  for (const timer of timers) timer.unref();

  return {
    addSpans: (spans) => {
      if (waiting.length + spans.length > MOST_WAITING) {
        dropped += spans.length;
        return;
      }
      waiting.push(...spans);
      if (waiting.length >= BATCH && !failing.has(TRACES)) void flush();
    },
    flush,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([flush(), sendMetrics()]);
    },
  };
};

const parsePairs = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? "").split(",").flatMap((pair) => {
      const cut = pair.indexOf("=");
      if (cut < 1) return [];
      return [[pair.slice(0, cut).trim(), decode(pair.slice(cut + 1).trim())]];
    }),
  );

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
