/** A mistake of ours in a call of media is a row of the log, as any other failure, and costs nothing. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-secret", TAVILY_API_KEY: "tv-secret" } });

const CALLS = [
  { service: "image", path: "/v1/images/generations", body: { prompt: "x" } },
  { service: "speech", path: "/v1/audio/speech", body: { input: "x", model: "tts-1", voice: "echo" } },
  { service: "search", path: "/v1/tools/search", body: { query: "x" } },
  { service: "moderate", path: "/v1/moderations", body: { input: "x" } },
] as const;

test.each(CALLS)("an unforeseen failure of $path is a row of the log", async ({ service, path, body }) => {
  const key = await gateway.key({ project: service, mode: "live" });
  const provider = gateway.platform.providers.find("live", service === "search" ? "tavily" : "openai")!;
  const own = provider[service];
  Object.assign(provider, { [service]: () => Promise.reject(new TypeError("a mistake of ours")) });
  const response = await gateway.send(key, "POST", path, body);
  Object.assign(provider, { [service]: own });
  expect([response.status, ((await response.json()) as any).error.type]).toEqual([500, "server_error"]);
  const row = await gateway.read(key, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
  expect(row.execution).toMatchObject({ status: 500, error_type: "server_error", cost_usd: 0 });
});
