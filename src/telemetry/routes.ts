/** `GET /metrics` for Prometheus (decisions §10): for requests with a token of the operator or from this machine. */

import { Elysia } from "elysia";
import { invalidApiKey } from "../api-error.ts";
import { carriesToken } from "../http/carries-token.ts";
import { describe } from "../http/describe.ts";
import { namesOwnHost } from "../http/request-origin.ts";
import type { Platform } from "../platform.ts";
import { readGauges } from "./gauges.ts";
import { PROMETHEUS_TYPE, toPrometheusText } from "./prometheus-text.ts";

export const telemetryRoutes = (platform: Platform) =>
  new Elysia().get(
    "/metrics",
    ({ request }) => {
      if (!mayRead(platform, request)) throw invalidApiKey();
      const text = toPrometheusText(Object.values(platform.telemetry.instruments), readGauges(platform));
      return new Response(text, { headers: { "content-type": PROMETHEUS_TYPE, "cache-control": "no-store" } });
    },
    {
      detail: describe({
        summary: "Prometheus metrics",
        description:
          "For requests from this machine, and for others that carry the metrics or the admin token as `Authorization: Bearer`.",
        tags: ["health"],
        response: { mediaType: "text/plain" },
        errors: [401],
      }),
    },
  );

const PROXIES_SAY = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** A request that a local proxy forwarded comes from elsewhere, and so does one sent by a web page in a local browser. */
const mayRead = (platform: Platform, request: Request): boolean => {
  const { adminToken, metricsToken } = platform.config;
  if (carriesToken(request, adminToken)) return true;
  const isTrusted = carriesToken(request, metricsToken);
  if (isTrusted !== undefined) return isTrusted;
  const isForwarded = PROXIES_SAY.some((name) => request.headers.has(name));
  return !isForwarded && namesOwnHost(platform.config, request) && isLoopback(platform.exchanges.of(request).ip);
};

const isLoopback = (ip: string | null): boolean => /^(?:::1$|(?:::ffff:)?127\.)/.test(ip ?? "");
