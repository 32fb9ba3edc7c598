/** Pages of other origins: those that the operator names may use the API from a browser, no others, and none the dashboard. */

import { expect, test } from "bun:test";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const APP = "https://app.example.com";
const gateway = await gatewayOfFile({ environment: { SIGNALBOX_CORS_ORIGINS: `${APP}, chrome-extension://abc` } });
const key = await gateway.key();

const preflight = (origin: string, path = "/v1/chat", url = gateway.url) =>
  fetch(`${url}${path}`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,x-stainless-os",
    },
  });
const allowed = (response: Response) => response.headers.get("access-control-allow-origin");

test("a browser's question before the call is answered without a key, for every header that it means to send", async () => {
  const response = await preflight(APP);
  expect([response.status, allowed(response), response.headers.get("vary")]).toEqual([204, APP, "Origin"]);
  expect(response.headers.get("access-control-allow-methods")).toContain("POST");
  expect(response.headers.get("access-control-allow-headers")).toBe("authorization,x-stainless-os");
  expect(response.headers.get("x-svc-request-id")).toStartWith("call_");
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
});

test("answers, streams and refusals can be read, their headers too", async () => {
  const body = { messages: [{ role: "user", content: "Hello" }] };
  for (const [path, sent, status] of [
    ["/v1/chat", body, 200],
    ["/v1/chat/stream", body, 200],
    ["/v1/chat", {}, 400],
    ["/v2/rerank", { query: "signals", documents: ["A signal."] }, 200],
  ] as const) {
    const response = await gateway.send(key, "POST", path, sent, { origin: APP });
    await response.text();
    expect([path, response.status, allowed(response), response.headers.get("access-control-expose-headers")]).toEqual([
      path,
      status,
      APP,
      "*",
    ]);
  }
  const noKey = await fetch(`${gateway.url}/v1/logs`, { headers: { origin: "chrome-extension://abc" } });
  expect([noKey.status, allowed(noKey)]).toEqual([401, "chrome-extension://abc"]);
});

test("other origins and other paths get nothing", async () => {
  for (const origin of ["https://evil.example", `${APP}.evil.example`, "null", "http://app.example.com"]) {
    const response = await preflight(origin);
    expect([origin, response.status, allowed(response)]).toEqual([origin, 405, null]);
  }
  for (const path of ["/dashboard/api/login", "/dashboard/api/session", "/metrics", "/v1", "/v2", "/files/v1/x"])
    expect([path, allowed(await preflight(APP, path))]).toEqual([path, null]);
});

test("without the setting no origin is allowed; with `*` every one is", async () => {
  const [closed, open] = [await startGateway(), await startGateway({ environment: { SIGNALBOX_CORS_ORIGINS: "*" } })];
  expect(allowed(await preflight(APP, "/v1/chat", closed.url))).toBeNull();
  expect(allowed(await preflight("null", "/v1/chat", open.url))).toBe("null");
  await Promise.all([closed.stop(), open.stop()]);
});
