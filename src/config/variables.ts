/** The environment variables that are settings, and warnings about those that only look like one. */

import { nearestName } from "./nearest-name.ts";
import type { SettingsFile } from "./settings-file.ts";

export type Environment = Record<string, string | undefined>;

/** Without the providers' keys and addresses, whose names the catalog knows. */
const VARIABLES = [
  "HOST",
  "PORT",
  "LOG_LEVEL",
  "SIGNALBOX_DB",
  "SIGNALBOX_CONFIG",
  "SIGNALBOX_ADMIN_PASSWORD",
  "SIGNALBOX_SECRET",
  "SIGNALBOX_NEW_SECRET",
  "SIGNALBOX_PUBLIC_URL",
  "SIGNALBOX_DURABILITY",
  "SIGNALBOX_DRAIN_S",
  "SIGNALBOX_TIMEOUT_CONNECT_MS",
  "SIGNALBOX_TIMEOUT_FIRST_BYTE_MS",
  "SIGNALBOX_TIMEOUT_IDLE_MS",
  "SIGNALBOX_TIMEOUT_TOTAL_MS",
  "SIGNALBOX_COOLDOWN_MS",
  "SIGNALBOX_ALLOWED_HOSTS",
  "SIGNALBOX_CORS_ORIGINS",
  "SIGNALBOX_TRUSTED_PROXIES",
  "SIGNALBOX_METRICS_TOKEN",
  "SIGNALBOX_CLOCK_OFFSET_S",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
  "HTTPS_PROXY",
  "HTTP_PROXY",
] as const;
export type Variable = (typeof VARIABLES)[number];

const PREFIX = "SIGNALBOX_";
/** Names that are not settings: a client's key in our examples, and what Kubernetes sets for a service called signalbox. */
const NOT_MEANT_FOR_US = /^SIGNALBOX_KEY$|_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP)/;
const KUBERNETES_ADDRESS = /^(tcp|udp):\/\//;

/**
 * One line for each variable that begins like a setting and is none, so that a misspelt setting is not ignored silently. `env:NAME` in the
 * settings file may refer to a variable of any name.
 */
export const unknownVariables = (environment: Environment, file: SettingsFile): string[] => {
  const references = JSON.stringify(file);
  const isUnknown = ([name, value = ""]: [string, string | undefined]): boolean =>
    name.startsWith(PREFIX) &&
    value !== "" &&
    !VARIABLES.some((known) => known === name) &&
    !NOT_MEANT_FOR_US.test(name) &&
    !KUBERNETES_ADDRESS.test(value) &&
    !references.includes(`"env:${name}"`);
  return Object.entries(environment)
    .filter(isUnknown)
    .map(([name]) => {
      const nearest = nearestTo(name);
      const hint = nearest === undefined ? "docs/configuration.md lists those that are." : `did you mean ${nearest}?`;
      return `${name} is not a setting and has no effect: ${hint}`;
    });
};

const withoutPrefix = (name: string): string => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name);

const nearestTo = (name: string): Variable | undefined => {
  const nearest = nearestName(withoutPrefix(name), VARIABLES.map(withoutPrefix));
  return VARIABLES.find((known) => withoutPrefix(known) === nearest);
};
