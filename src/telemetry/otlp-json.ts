/** Spans and instruments in OTLP's JSON encoding (opentelemetry-proto 1.x: hex ids, 64-bit integers as text). */

import type { CallKind } from "../logs/call.ts";
import { VERSION } from "../version.ts";
import { OPERATIONS, providerNameOf } from "./genai-names.ts";
import type { Counter, Histogram, Labels } from "./instruments.ts";
import type { Attributes, Span } from "./spans-of-call.ts";

const SCOPE = { name: "signalbox", version: VERSION };
/** Attributes of this server, such as its name. */
type Resource = Readonly<Record<string, string>>;

const resourceOf = (resource: Resource) => ({ attributes: attributesOf({ ...resource, "service.version": VERSION }) });
const KINDS = { server: 2, client: 3 };
const CUMULATIVE = 2;
const ERROR = 2;

const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

export const toOtlpTraces = (spans: readonly Span[], resource: Resource) => ({
  resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope: SCOPE, spans: spans.map(toOtlpSpan) }] }],
});

const toOtlpSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanos(span.startMs),
  endTimeUnixNano: nanos(span.endMs),
  attributes: attributesOf(span.attributes),
  status: span.error === undefined ? {} : { code: ERROR, message: span.error },
});

/** Sums since `startedMs`. */
export const toOtlpMetrics = (
  instruments: readonly (Counter | Histogram)[],
  startedMs: number,
  nowMs: number,
  resource: Resource,
) => {
  const times = { startTimeUnixNano: nanos(startedMs), timeUnixNano: nanos(nowMs) };
  const metrics = instruments.filter(({ otlp }) => otlp !== undefined).map((instrument) => toOtlpMetric(instrument, times));
  return { resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics: [{ scope: SCOPE, metrics }] }] };
};

const toOtlpMetric = (instrument: Counter | Histogram, times: Record<string, string>) => {
  const about = { ...instrument.otlp, description: instrument.help };
  if (instrument.kind === "counter") {
    const dataPoints = instrument
      .points()
      .map(({ labels, value }) => ({ attributes: attributesOf(labelsOf(labels)), ...times, asDouble: value }));
    return { ...about, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } };
  }
  const dataPoints = instrument.points().map(({ labels, counts, sum, count }) => ({
    attributes: attributesOf(labelsOf(labels)),
    ...times,
    count: String(count),
    sum,
    bucketCounts: counts.map(String),
    explicitBounds: instrument.bounds,
  }));
  return { ...about, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
};

/** The conventions' names for our short Prometheus labels. */
const CONVENTIONS: Record<string, string> = {
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  type: "gen_ai.token.type",
  error_type: "error.type",
  route: "http.route",
  method: "http.request.method",
};

const labelsOf = (labels: Labels): Attributes => ({
  ...Object.fromEntries(
    Object.entries(labels)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [CONVENTIONS[name] ?? `signalbox.${name}`, name === "provider" ? providerNameOf(value) : value]),
  ),
  ...(labels["kind"] && { "gen_ai.operation.name": OPERATIONS[labels["kind"] as CallKind] }),
});

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toOtlpValue(key, value) }]));

/** Always of the same type, because stores refuse an attribute that is sometimes an integer and sometimes a fraction. */
const FRACTIONS = ["signalbox.cost_usd", "gen_ai.usage.cost", "signalbox.complexity"];

const toOtlpValue = (key: string, value: string | number | boolean | string[]): unknown => {
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) && !FRACTIONS.includes(key) ? { intValue: String(value) } : { doubleValue: value };
};
