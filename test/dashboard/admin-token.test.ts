/** Programs of the operator manage projects and keys with the admin token, where a browser has its session. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const TOKEN = "a-token-of-the-operator-0123456789";
const gateway = await gatewayOfFile({ environment: { SIGNALBOX_ADMIN_TOKEN: TOKEN } });
const closed = await gatewayOfFile();

const send = (method: string, path: string, body?: object, token = TOKEN, { url } = gateway) =>
  fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

test("a customer's project and key are made, used, read and revoked", async () => {
  const made = await send("POST", "/dashboard/api/projects", { name: "customer", tier: "pro" });
  expect(made.status).toBe(201);
  const { id } = await made.json();
  const { key, record } = await (
    await send("POST", `/dashboard/api/projects/${id}/keys`, { name: "shop", mode: "test", budget_usd: 5 })
  ).json();
  const chat = () => send("POST", "/v1/chat", { messages: [{ role: "user", content: "Hello." }] }, key);
  expect((await chat()).status).toBe(200);
  const usage = await (await send("GET", `/dashboard/api/projects/${id}/test/v1/usage`)).json();
  expect(usage).toMatchObject({ project_id: id, tier: "pro", day: { calls: 1 } });
  expect((await send("DELETE", `/dashboard/api/projects/${id}/keys/${record.id}`)).status).toBe(200);
  expect((await chat()).status).toBe(401);
  // The only project stays.
  await gateway.key({ project: "another" });
  expect((await send("DELETE", `/dashboard/api/projects/${id}`)).status).toBe(200);
});

test("it opens the dashboard's API and the metrics, but no route that takes a key", async () => {
  expect((await send("GET", "/metrics")).status).toBe(200);
  expect((await send("GET", "/v1/models")).status).toBe(401);
});

test.each([
  ["another token", () => send("GET", "/dashboard/api/projects", undefined, `${TOKEN}x`)],
  ["a key", async () => send("GET", "/dashboard/api/projects", undefined, (await gateway.key({})).text)],
  ["any token where none is set", () => send("GET", "/dashboard/api/projects", undefined, TOKEN, closed)],
  ["another token, of a project's routes", () => send("GET", "/dashboard/api/projects/x/live/v1/usage", undefined, `${TOKEN}x`)],
])("%s is refused", async (_what, ask) => {
  const response = await ask();
  expect([response.status, (await response.json()).error.type]).toEqual([401, "authentication_error"]);
});
