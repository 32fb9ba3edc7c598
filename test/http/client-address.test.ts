import { expect, test } from "bun:test";
import { createClientAddress } from "../../src/http/client-address.ts";
import { operatorOf } from "../support/dashboard.ts";
import { startGateway } from "../support/gateway.ts";

const TRUSTED = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];
const clientAddress = createClientAddress(TRUSTED);
const heard = (peer: string, forwarded?: string) =>
  clientAddress(peer, new Request("http://h/", { headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } }));

test.each([
  ["a stranger's word about itself", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
  ["a trusted proxy", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["a trusted proxy that heard a lie", "127.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
  ["trusted proxies in a row", "fd00::7", "1.1.1.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"],
  ["a caller within the trusted network", "10.0.0.2", "10.9.9.9", "10.9.9.9"],
  ["a proxy that writes the port", "10.0.0.2", "203.0.113.9:4711", "203.0.113.9"],
  ["a proxy that writes IPv6 with the port", "10.0.0.2", "[2001:db8::9]:4711", "2001:db8::9"],
  ["a socket for both families", "::ffff:10.0.0.2", "::FFFF:203.0.113.9", "203.0.113.9"],
  ["a proxy that hides its callers", "10.0.0.2", "unknown", "10.0.0.2"],
  ["a proxy that says nothing", "10.0.0.2", undefined, "10.0.0.2"],
])("%s: %s says %p, and it is %s", (_, peer, forwarded, client) => {
  expect(heard(peer, forwarded)).toBe(client);
});

test("the log has the caller's address, and one caller's wrong passwords do not delay another", async () => {
  await using gateway = await startGateway({ environment: { SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8, ::1" } });
  const from = (ip: string) => ({ "x-forwarded-for": ip });
  const key = await gateway.key({ mode: "test" });
  const chat = { messages: [{ role: "user", content: "hi" }] };
  const answer = await gateway.send(key, "POST", "/v1/chat", chat, from("203.0.113.9"));
  const row = await gateway.send(key, "GET", `/v1/logs/${answer.headers.get("x-svc-request-id")}`);
  expect(((await row.json()) as any).metadata.request_ip).toBe("203.0.113.9");
  const visitor = operatorOf(gateway, "");
  const enter = async (ip: string) => (await visitor.send("POST", "/login", { password: "wrong" }, from(ip))).status;
  for (let tries = 0; tries < 5; tries++) expect(await enter("203.0.113.9")).toBe(401);
  expect([await enter("203.0.113.9"), await enter("203.0.113.10")]).toEqual([429, 401]);
});
