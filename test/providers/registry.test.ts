/** What is kept of the providers when their settings change. */

import { expect, test } from "bun:test";
import { DEFAULTS } from "../../src/config/defaults.ts";
import type { Connection } from "../../src/providers/connections.ts";
import { createHealth } from "../../src/providers/health/health.ts";
import { createProviders } from "../../src/providers/registry.ts";
import { createSocketTransport } from "../../src/providers/transport/socket-transport.ts";
import { type Transport, TransportError } from "../../src/providers/transport/transport.ts";
import { askFor, contextWith } from "../support/chat-provider.ts";
import { json, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();
const clock = { now: () => Date.now() };
const answer = { choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }] };

const connection = (id: string, keys: string[]): Connection => ({
  entry: { id, name: id, dialect: "openai", keyVariables: [], baseUrlVariables: [], services: ["chat"] },
  baseUrl: stub.url,
  keys: keys.map((key, index) => ({ id: `${id}-${index + 1}`, key, weight: 1 })),
  headers: {},
  source: "file",
});

test("a refused key rests on when another provider's settings change, and is tried again when its own do", async () => {
  const transport = createSocketTransport();
  const providers = createProviders({
    connections: [connection("house", ["bad", "good"])],
    sandbox: {},
    health: createHealth({ clock, cooldownMs: 30_000 }),
    transport,
    localTransport: transport,
    timeouts: DEFAULTS.timeouts,
    clock,
    quirksOf: () => undefined,
    contextWindowOf: () => undefined,
  });
  stub.answer((request) =>
    request.headers.get("authorization") === "Bearer bad"
      ? json({ error: { message: "no" } }, 401)(request)
      : json(answer)(request),
  );
  /** The keys of four calls. */
  const keysUsed = async (): Promise<string[]> => {
    const before = stub.seen.length;
    for (let call = 0; call < 4; call++) await providers.find("live", "house")!.chat!("m", askFor("hi"), contextWith());
    return stub.seen.slice(before).map(({ headers }) => headers.get("authorization")!.slice("Bearer ".length));
  };
  expect(await keysUsed()).toContain("bad");
  providers.replace([connection("house", ["bad", "good"]), connection("yard", [])]);
  expect(providers.configured()).toEqual(["house", "yard"]);
  expect(await keysUsed()).toEqual(["good", "good", "good", "good"]);
  providers.replace([connection("house", ["bad", "good", "new"])]);
  expect(await keysUsed()).toContain("bad");
});

test("a server of this machine is called past the proxy, also where its address is configured", async () => {
  const asked: string[] = [];
  const refusing =
    (way: string): Transport =>
    ({ url }) => {
      asked.push(`${way} ${new URL(url).hostname}`);
      return Promise.reject(new TransportError("NOT_CONNECTED"));
    };
  const hosts = [
    "127.0.0.1",
    "127.0.1.1",
    "localhost",
    "ollama.localhost",
    "[::1]",
    "127.0.0.1.example",
    "localhost.example",
    "10.0.0.1",
  ];
  const providers = createProviders({
    connections: hosts.map((host, index) => ({ ...connection(`p${index}`, []), baseUrl: `http://${host}:9999/v1` })),
    sandbox: {},
    health: createHealth({ clock, cooldownMs: 30_000 }),
    transport: refusing("proxied"),
    localTransport: refusing("here"),
    timeouts: DEFAULTS.timeouts,
    clock,
    quirksOf: () => undefined,
    contextWindowOf: () => undefined,
  });
  for (const id of providers.configured())
    await providers.find("live", id)!.chat!("m", askFor("hi"), contextWith()).catch(() => {});
  expect(asked).toEqual(hosts.map((host, index) => `${index < 5 ? "here" : "proxied"} ${host}`));
});
