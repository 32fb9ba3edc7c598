import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../support/gateway.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
let gateway: Gateway;
let upstream: ReturnType<typeof Bun.serve>;
let heard: (string | null)[] = [];
let spans: any[] = [];

beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    routes: {
      "/v1/chat/completions": (request) => {
        heard.push(request.headers.get("traceparent"));
        return Response.json({
          id: "x",
          choices: [{ index: 0, message: { role: "assistant", content: "A full answer, ended well." }, finish_reason: "stop" }],
          usage: { prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 },
        });
      },
      "/v1/traces": async (request) => {
        const body: any = await request.json();
        spans.push(...body.resourceSpans[0].scopeSpans[0].spans);
        return Response.json({});
      },
      "/v1/metrics": () => Response.json({}),
    },
  });
});
afterAll(() => upstream.stop(true));

const chat = async (environment: Record<string, string>, headers: Record<string, string>) => {
  heard = [];
  spans = [];
  const base = `http://127.0.0.1:${upstream.port}`;
  gateway = await startGateway({ environment: { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${base}/v1`, ...environment } });
  try {
    const key = await gateway.key({ mode: "live" });
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "Say something whole." }] };
    expect((await gateway.send(key, "POST", "/v1/chat", body, headers)).status).toBe(200);
  } finally {
    await gateway.stop();
  }
};

test("the provider is told of the caller's trace, with our exported span as its parent", async () => {
  const endpoint = `http://127.0.0.1:${upstream.port}`;
  await chat({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { traceparent: `00-${TRACE}-${SPAN}-01` });
  const server = spans.find(({ kind }) => kind === 2);
  expect(server).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
  expect(new Set(heard)).toEqual(new Set([`00-${TRACE}-${server.spanId}-01`]));
});

test("where nobody traces, the provider hears of no trace", async () => {
  await chat({}, {});
  expect(new Set(heard)).toEqual(new Set([null]));
});
