/**
 * Merges flags, environment, `signalbox.yaml` and defaults, in this order of precedence, into one checked Config. The only reader of the
 * environment (decisions §1).
 */

import { existsSync } from "node:fs";
import type { LogLevel } from "../process-log.ts";
import { DEFAULTS, type Timeouts } from "./defaults.ts";
import { readHost, readNumber, readOrigin, readUrl, SettingError } from "./read-setting.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { LONGEST_MS, type SettingsFile } from "./settings-file.ts";
import { throughLinks } from "./through-links.ts";

export { SettingError } from "./read-setting.ts";

export type Environment = Record<string, string | undefined>;
type Flags = { host?: string; port?: string; db?: string; config?: string };

export type Config = {
  host: string;
  port: number;
  databasePath: string;
  /** Encrypts provider keys entered in the dashboard; without it, a key file beside the database does. */
  secret?: string;
  adminPassword?: string;
  publicUrl?: string;
  durability: "full" | "normal";
  logLevel: LogLevel | "silent";
  drainMs: number;
  timeouts: Timeouts;
  /** Whether the environment names a proxy for upstream requests. */
  isBehindProxy: boolean;
  cooldownMs: number;
  clockOffsetMs: number;
  allowedHosts: string[];
  /** Origins whose pages may read answers of `/v1/`; `*` means all. */
  corsOrigins: string[];
  metricsToken?: string;
  otlpEndpoint?: string;
  otlpHeaders?: string;
  otlpServiceName?: string;
  /** Path of the settings file, whether or not it exists. */
  settingsPath: string;
  file: SettingsFile;
  /** For provider keys and base URLs, whose names the catalog knows. */
  environment: Environment;
};

const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/** Throws SettingError for the first setting that cannot be used. */
export const readConfig = (environment: Environment, flags: Flags = {}): Config => {
  if (flags.db === "") throw new SettingError('--db is ""; it may be the path of the SQLite file.');
  if (flags.host?.trim() === "") throw new SettingError(`--host is "${flags.host}"; it may be an address of this machine.`);
  // An empty variable counts as unset, as for all others: container files often set it so.
  const named = flags.config ?? (environment["SIGNALBOX_CONFIG"] || undefined);
  const settingsPath = named ?? DEFAULTS.settingsPath;
  if (named !== undefined && !existsSync(settingsPath)) {
    const setting = flags.config === undefined ? "SIGNALBOX_CONFIG" : "--config";
    throw new SettingError(`${setting} is "${settingsPath}", which does not exist; it may be the path of a settings file.`);
  }
  const file = readSettingsFile(settingsPath);
  const env = (name: string): string | undefined => environment[name] || undefined;
  const milliseconds = (name: string, fromFile: number | undefined, otherwise: number) =>
    readNumber(name, env(name), { min: 1, max: LONGEST_MS }) ?? fromFile ?? otherwise;
  const timeout = (part: "connect" | "first_byte" | "idle" | "total", otherwise: number) =>
    milliseconds(`SIGNALBOX_TIMEOUT_${part.toUpperCase()}_MS`, file.timeouts?.[`${part}_ms`], otherwise);

  return {
    // An IPv6 address in brackets is accepted, too.
    host: (flags.host ?? env("HOST") ?? file.host ?? DEFAULTS.host).replace(/^\[(.*)\]$/, "$1"),
    port:
      readNumber("--port", flags.port, { min: 0, max: 65535 }) ??
      readNumber("PORT", env("PORT"), { min: 0, max: 65535 }) ??
      file.port ??
      DEFAULTS.port,
    // SQLite keeps its log beside the file that a link points to; lock and key belong there too.
    databasePath: throughLinks(flags.db ?? env("SIGNALBOX_DB") ?? file.database ?? DEFAULTS.databasePath),
    ...optional("secret", env("SIGNALBOX_SECRET")),
    ...optional("adminPassword", env("SIGNALBOX_ADMIN_PASSWORD")),
    ...optional(
      "publicUrl",
      (readUrl("SIGNALBOX_PUBLIC_URL", env("SIGNALBOX_PUBLIC_URL")) ?? readUrl("public_url", file.public_url))?.replace(
        /\/+$/,
        "",
      ),
    ),
    durability: oneOf("SIGNALBOX_DURABILITY", env("SIGNALBOX_DURABILITY"), ["full", "normal"]) ?? file.durability ?? "full",
    logLevel:
      oneOf("LOG_LEVEL", env("LOG_LEVEL")?.toLowerCase(), ["debug", "info", "warn", "error", "silent"]) ??
      file.log_level ??
      "info",
    drainMs:
      1000 *
      (readNumber("SIGNALBOX_DRAIN_S", env("SIGNALBOX_DRAIN_S"), { min: 0, max: 3600 }) ??
        file.drain_seconds ??
        DEFAULTS.drainSeconds),
    timeouts: {
      connectMs: timeout("connect", DEFAULTS.timeouts.connectMs),
      firstByteMs: timeout("first_byte", DEFAULTS.timeouts.firstByteMs),
      idleMs: timeout("idle", DEFAULTS.timeouts.idleMs),
      totalMs: timeout("total", DEFAULTS.timeouts.totalMs),
    },
    isBehindProxy: PROXY_VARIABLES.some((name) => environment[name]),
    cooldownMs: milliseconds("SIGNALBOX_COOLDOWN_MS", file.cooldown_ms, DEFAULTS.cooldownMs),
    clockOffsetMs:
      1000 * (readNumber("SIGNALBOX_CLOCK_OFFSET_S", env("SIGNALBOX_CLOCK_OFFSET_S"), { min: -1e10, max: 1e10 }) ?? 0),
    allowedHosts:
      listed(env("SIGNALBOX_ALLOWED_HOSTS"))?.map((host) => readHost("SIGNALBOX_ALLOWED_HOSTS", host)) ??
      file.allowed_hosts?.map((host) => readHost("allowed_hosts", host)) ??
      [],
    corsOrigins:
      listed(env("SIGNALBOX_CORS_ORIGINS"))?.map((origin) => readOrigin("SIGNALBOX_CORS_ORIGINS", origin)) ??
      file.cors_origins?.map((origin) => readOrigin("cors_origins", origin)) ??
      [],
    ...optional("metricsToken", env("SIGNALBOX_METRICS_TOKEN") ?? file.metrics_token),
    ...optional("otlpEndpoint", readUrl("OTEL_EXPORTER_OTLP_ENDPOINT", env("OTEL_EXPORTER_OTLP_ENDPOINT"))),
    ...optional("otlpHeaders", env("OTEL_EXPORTER_OTLP_HEADERS")),
    ...optional("otlpServiceName", env("OTEL_SERVICE_NAME")),
    settingsPath,
    file,
    environment,
  };
};

const listed = (text: string | undefined): string[] | undefined => text?.split(",").filter((part) => part.trim() !== "");

const optional = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: string };

const oneOf = <Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined => {
  if (value === undefined) return undefined;
  if (choices.includes(value as Choice)) return value as Choice;
  throw new SettingError(`${name} is "${value}"; it may be ${choices.join(", ")}.`);
};
