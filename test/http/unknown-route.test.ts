/** A path that is none says which one may have been meant: base URLs with and without `/v1` are easily mixed up. */

import { expect, test } from "bun:test";
import { shadowedPaths, unknownRoute } from "../../src/http/unknown-route.ts";

const routes = [
  { method: "POST", path: "/v1/chat/completions" },
  { method: "POST", path: "/v1/messages" },
  { method: "GET", path: "/v1/models/*" },
  { method: "POST", path: "/v2/rerank" },
  { method: "GET", path: "/healthz" },
];

test.each([
  ["POST", "/chat/completions", "/v1/chat/completions"],
  ["POST", "/v1/v1/messages", "/v1/messages"],
  ["GET", "/models/openai/gpt-4o", "/v1/models/openai/gpt-4o"],
])("%s %s may mean %s", (method, path, meant) => {
  const error = unknownRoute(routes, { method, path });
  expect([error.status, error.type]).toEqual([404, "not_found"]);
  expect(error.message).toBe(
    `The path ${path} was not found; did you mean ${meant}? Mind whether the client's base URL ends in /v1.`,
  );
});

test("a slash too many is told of as well", () => {
  expect(unknownRoute(routes, { method: "POST", path: "//v1/messages" }).message).toBe(
    "The path //v1/messages was not found; did you mean /v1/messages? Mind whether the client's base URL ends in a slash.",
  );
});

test.each([
  ["/openai", "/v1/chat/completions"],
  ["/anthropic", "/v1/messages"],
  ["/api", "/v1/models/openai/gpt-4o"],
  ["/v1", "/v2/rerank"],
])("%s of a base URL that is meant otherwise is told of", (before, meant) => {
  expect(unknownRoute(routes, { method: "POST", path: before + meant }).message).toContain(
    `did you mean ${meant}? Leave ${before} out of the client's base URL.`,
  );
});

test.each(["/openai/v1/nothing", "/v1/nothing", "/nothing", "/v1/v1", "/v1/healthz", `/${"x".repeat(5_000)}`])(
  "%s means nothing known",
  (path) => {
    expect(unknownRoute(routes, { method: "GET", path }).message).toBe(
      `The path ${path.slice(0, 200)} was not found; /docs lists all paths.`,
    );
  },
);

test("a fixed path beside a pattern has its own methods", () => {
  const beside = [
    { method: "POST", path: "/v1/documents/query" },
    { method: "GET", path: "/v1/documents/:id" },
    { method: "GET", path: "/v1/documents" },
    ...routes,
  ];
  expect([...shadowedPaths(beside)]).toEqual([["/v1/documents/query", ["POST"]]]);
});

test("a known path with another method is told apart", () => {
  const error = unknownRoute(routes, { method: "GET", path: "/v1/messages" });
  expect([error.status, error.options.headers]).toEqual([405, { allow: "POST" }]);
  const page = { method: "GET", path: "/dashboard/*" };
  expect(
    unknownRoute([{ method: "POST", path: "/dashboard/login" }, page], { method: "GET", path: "/dashboard/login" }).status,
  ).toBe(405);
  expect(unknownRoute([page], { method: "GET", path: "/dashboard/nothing" }).status).toBe(404);
  expect(unknownRoute(routes, { method: "POST", path: "/healthz" }).options.headers).toEqual({ allow: "GET, HEAD" });
});

test("a WebSocket at a path that takes POST is refused as one, with the status that makes Codex go on over HTTP", () => {
  const error = unknownRoute(routes, { method: "GET", path: "/v1/messages", upgrade: "WebSocket" });
  expect([error.status, error.type, error.message]).toEqual([
    426,
    "method_not_allowed",
    "/v1/messages takes POST; there are no WebSockets here.",
  ]);
  expect(error.options.headers).toMatchObject({ allow: "POST", upgrade: "HTTP/1.1" });
  expect(unknownRoute(routes, { method: "GET", path: "/v1/messages", upgrade: "h2c" }).status).toBe(405);
  expect(unknownRoute(routes, { method: "GET", path: "/nothing", upgrade: "websocket" }).status).toBe(404);
});
