/** The configured providers by catalog id, and the sandbox that stands in for all of them when a test key asks (decisions §2). */

import type { Mode } from "../accounts/api-key.ts";
import type { ModelQuirks } from "../catalog/model.ts";
import type { Timeouts } from "../config/defaults.ts";
import type { Clock } from "../lib/clock.ts";
import type { ProcessLog } from "../process-log.ts";
import { createChatProvider } from "./chat-provider.ts";
import { type Connection, isOnThisMachine, isVendors } from "./connections.ts";
import { ALWAYS_HEALTHY, type CallHealth, type Health } from "./health/health.ts";
import { connectMedia } from "./media/connect-media.ts";
import { rotateMediaKeys } from "./media/rotate-media-keys.ts";
import type { Provider } from "./provider.ts";
import type { Transport } from "./transport/transport.ts";
import type { UpstreamError } from "./upstream-error.ts";

export type Providers = {
  /** Undefined if it is not configured. Test keys always get the sandbox. */
  find(mode: Mode, id: string): Provider | undefined;
  /** Catalog ids of the configured providers. */
  configured(): string[];
  connections(): readonly Connection[];
  health: Health;
  /** That of what `find` returns. */
  healthIn(mode: Mode): CallHealth;
  transport: Transport;
  /** For servers of this machine: never through a proxy. */
  localTransport: Transport;
  /** Takes effect for the next call; calls under way keep the provider they began with. */
  replace(connections: readonly Connection[]): void;
};

type RegistryOptions = {
  connections: readonly Connection[];
  sandbox: Provider;
  /** What the gateway does by itself, without an upstream. */
  local?: Provider;
  health: Health;
  transport: Transport;
  localTransport: Transport;
  timeouts: Timeouts;
  clock: Clock;
  log?: Pick<ProcessLog, "warn">;
  quirksOf(provider: string, upstreamModel: string): ModelQuirks | undefined;
  contextWindowOf(provider: string, upstreamModel: string): number | undefined;
};

export const createProviders = (options: RegistryOptions): Providers => {
  let connections = options.connections;
  let live = new Map(connections.map((connection) => [connection.entry.id, connect(options, connection)]));
  return {
    find: (mode, id) => (mode === "test" ? options.sandbox : id === "local" ? options.local : live.get(id)),
    configured: () => [...live.keys()],
    connections: () => connections,
    health: options.health,
    healthIn: (mode) => (mode === "test" ? ALWAYS_HEALTHY : options.health),
    transport: options.transport,
    localTransport: options.localTransport,
    replace: (next) => {
      const before = new Map(connections.map((connection) => [connection.entry.id, connection]));
      /** What has not changed keeps what it knows: keys that rest, and parameters that its models refuse. */
      const renewed = (connection: Connection): Provider => {
        const { id } = connection.entry;
        if (Bun.deepEquals(before.get(id), connection)) return live.get(id)!;
        options.health.forgive(id);
        return connect(options, connection);
      };
      live = new Map(next.map((connection) => [connection.entry.id, renewed(connection)]));
      connections = next;
    },
  };
};

const connect = (options: RegistryOptions, connection: Connection): Provider => {
  const { entry, baseUrl, keys, headers } = connection;
  const { timeouts, clock } = options;
  const transport = isOnThisMachine(connection) ? options.localTransport : options.transport;
  const onRefused = (key: string, { kind, details }: UpstreamError): void =>
    options.log?.warn("A provider refuses a key", { provider: entry.id, key, reason: kind, status: details.status });
  const servicesWith = (key = "") =>
    connectMedia(entry.id, entry.dialect, { name: entry.name, baseUrl, key, headers, transport, timeouts });
  const services =
    keys.length > 1 ? rotateMediaKeys(entry.name, keys, servicesWith, { clock, onRefused }) : servicesWith(keys[0]?.key);
  const chat =
    entry.dialect === null
      ? {}
      : createChatProvider(entry, {
          baseUrl,
          isVendors: isVendors(connection),
          keys,
          headers,
          transport,
          timeouts,
          quirksOf: (model) => options.quirksOf(entry.id, model),
          contextWindowOf: (model) => options.contextWindowOf(entry.id, model),
          health: options.health,
          clock,
          onKeyRefused: onRefused,
        });
  return { ...chat, ...services };
};
