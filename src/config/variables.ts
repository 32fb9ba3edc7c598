/** The environment variables that are settings, and warnings about those that only look like one. */

import { nearestName } from "./nearest-name.ts";
import type { SettingsFile } from "./settings-file.ts";

export type Environment = Record<string, string | undefined>;

type Setting =
  | keyof SettingsFile
  | `timeouts.${keyof NonNullable<SettingsFile["timeouts"]>}`
  | "backups.folder"
  | `tls.${"certificate" | "key"}`;

/** Each with the setting of the file that it wins over. Those of providers are in the catalog. */
export const VARIABLES = {
  HOST: "host",
  PORT: "port",
  LOG_LEVEL: "log_level",
  SIGNALBOX_DB: "database",
  SIGNALBOX_CONFIG: null,
  SIGNALBOX_ADMIN_PASSWORD: null,
  SIGNALBOX_SECRET: null,
  SIGNALBOX_NEW_SECRET: null,
  SIGNALBOX_PUBLIC_URL: "public_url",
  SIGNALBOX_TLS_CERTIFICATE: "tls.certificate",
  SIGNALBOX_TLS_KEY: "tls.key",
  SIGNALBOX_DURABILITY: "durability",
  SIGNALBOX_DRAIN_S: "drain_seconds",
  SIGNALBOX_BACKUP_FOLDER: "backups.folder",
  SIGNALBOX_TIMEOUT_CONNECT_MS: "timeouts.connect_ms",
  SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "timeouts.first_byte_ms",
  SIGNALBOX_TIMEOUT_IDLE_MS: "timeouts.idle_ms",
  SIGNALBOX_TIMEOUT_TOTAL_MS: "timeouts.total_ms",
  SIGNALBOX_COOLDOWN_MS: "cooldown_ms",
  SIGNALBOX_ALLOWED_HOSTS: "allowed_hosts",
  SIGNALBOX_CORS_ORIGINS: "cors_origins",
  SIGNALBOX_TRUSTED_PROXIES: "trusted_proxies",
  SIGNALBOX_USER_HEADER: "user_header",
  SIGNALBOX_ALERT_URL: "alert_url",
  SIGNALBOX_ADMIN_TOKEN: "admin_token",
  SIGNALBOX_METRICS_TOKEN: "metrics_token",
  SIGNALBOX_CLOCK_OFFSET_S: null,
  OTEL_EXPORTER_OTLP_ENDPOINT: null,
  OTEL_EXPORTER_OTLP_HEADERS: null,
  OTEL_SERVICE_NAME: null,
  OTEL_RESOURCE_ATTRIBUTES: null,
  HTTPS_PROXY: null,
  HTTP_PROXY: null,
} as const satisfies Record<string, Setting | null>;
export type Variable = keyof typeof VARIABLES;
const NAMES = Object.keys(VARIABLES) as Variable[];

/** A variable whose name ends so names a file with the value of the one without. */
const FILE = "_FILE";
/** Their values are paths themselves: `SIGNALBOX_DB_FILE` is meant for `SIGNALBOX_DB`, and not to be read for a path. */
const PATHS: readonly string[] = [
  "SIGNALBOX_DB",
  "SIGNALBOX_CONFIG",
  "SIGNALBOX_TLS_CERTIFICATE",
  "SIGNALBOX_TLS_KEY",
] satisfies Variable[];

/** The variable that names a file with the value of `name`; undefined where none may. */
export const fileVariable = (name: string): string | undefined => (PATHS.includes(name) ? undefined : `${name}${FILE}`);

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
    !(name in VARIABLES) &&
    !NAMES.some((setting) => fileVariable(setting) === name) &&
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
  const bare = name.endsWith(FILE) ? name.slice(0, -FILE.length) : name;
  const nearest = nearestName(withoutPrefix(bare), NAMES.map(withoutPrefix));
  return NAMES.find((known) => withoutPrefix(known) === nearest);
};
