/** W3C trace context (level 1): continues the caller's trace upstream, with this gateway's span as the parent. */

export type TraceContext = {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits: this gateway's span. */
  spanId: string;
  /** The caller's span, where it sent one. */
  parentSpanId?: string;
  sampled: boolean;
};

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for a missing or malformed header: then a new trace begins, as the standard demands. */
const parseTraceparent = (header: string | null | undefined): Omit<TraceContext, "parentSpanId"> | undefined => {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header?.trim() ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  return { traceId: traceId!, spanId: spanId!, sampled: (Number.parseInt(flags!, 16) & 1) === 1 };
};

/** This gateway's span under the caller's, or the root of a new trace. */
export const childOf = (header: string | null | undefined): TraceContext => {
  const parent = parseTraceparent(header);
  const spanId = randomHex(8);
  if (parent === undefined) return { traceId: randomHex(16), spanId, sampled: true };
  return { traceId: parent.traceId, spanId, parentSpanId: parent.spanId, sampled: parent.sampled };
};

/** The header for the upstream. */
export const toTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;

export const randomHex = (bytes: number): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex();
