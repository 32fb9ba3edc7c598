import { expect, test } from "bun:test";
import { childOf, toTraceparent } from "../../src/lib/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("a caller's trace goes on under a span of our own", () => {
  const trace = childOf(`00-${TRACE}-${SPAN}-01`);
  expect(trace).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, sampled: true });
  expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(trace.spanId).not.toBe(SPAN);
  expect(toTraceparent(trace)).toBe(`00-${TRACE}-${trace.spanId}-01`);
});

test("a caller that does not sample is not sampled here", () => {
  expect(toTraceparent(childOf(`00-${TRACE}-${SPAN}-00`))).toEndWith("-00");
});

test("a later version of the header is read as far as it is known", () => {
  expect(childOf(`01-${TRACE}-${SPAN}-01-more`)).toMatchObject({ traceId: TRACE });
});

test.each([
  null,
  "",
  "nonsense",
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
])("%p begins a new trace", (header) => {
  const trace = childOf(header);
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(trace.traceId).not.toBe(TRACE);
  expect(trace.parentSpanId).toBeUndefined();
});
