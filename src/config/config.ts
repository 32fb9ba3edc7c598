/**
 * Merges flags, environment, `signalbox.yaml` and defaults, in this order of precedence, into one checked Config. The only reader of the
 * environment (decisions §1).
 */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { HOUR_MS } from "../lib/clock.ts";
import { DEFAULTS, type Timeouts } from "./defaults.ts";
import {
  readHeaderName,
  readHost,
  readNetwork,
  readNumber,
  readOrigin,
  readSecretUrl,
  readToken,
  readUrl,
  readWord,
  SettingError,
} from "./read-setting.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { readVariable } from "./read-variable.ts";
import { DURABILITIES, LOG_LEVELS, SettingsFile } from "./settings-file.ts";
import { throughLinks } from "./through-links.ts";
import { unquoted } from "./unquoted.ts";
import { type Environment, VARIABLES, type Variable } from "./variables.ts";

export { SettingError } from "./read-setting.ts";
export type { Environment } from "./variables.ts";

type Flags = { host?: string; port?: string; db?: string; config?: string };

/** An OpenTelemetry collector. */
export type OtlpCollector = {
  endpoint: string;
  /** `name=value,…`, values percent-encoded. */
  headers: string | undefined;
  /** This server's name there. */
  serviceName: string | undefined;
  /** As the headers. */
  resourceAttributes: string | undefined;
};

export type Config = {
  host: string;
  port: number;
  databasePath: string;
  /** Encrypts provider keys entered in the dashboard; without it, a key file beside the database does. */
  secret: string | undefined;
  adminPassword: string | undefined;
  /** Paths of files in PEM format, if the server itself is to speak TLS. */
  tls: { certificate: string; key: string } | undefined;
  /** Without a slash at its end. */
  publicUrl: string | undefined;
  durability: (typeof DURABILITIES)[number];
  logLevel: (typeof LOG_LEVELS)[number];
  drainMs: number;
  backups: { folder: string; everyMs: number; keep: number } | undefined;
  timeouts: Timeouts;
  /** Whether the environment names a proxy for upstream requests. */
  isBehindProxy: boolean;
  cooldownMs: number;
  clockOffsetMs: number;
  allowedHosts: string[];
  /** Origins whose pages may read answers of `/v1/`; `*` means all. */
  corsOrigins: string[];
  /** Addresses and networks. */
  trustedProxies: string[];
  /** The header that names the user where a body does not. */
  userHeader: string | undefined;
  alertUrl: string | undefined;
  adminToken: string | undefined;
  metricsToken: string | undefined;
  otlp: OtlpCollector | undefined;
  /** Path of the settings file, whether or not it exists. */
  settingsPath: string;
  file: SettingsFile;
  /** For provider keys and base URLs, whose names the catalog knows. */
  environment: Environment;
};

const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];
const CLOCK_OFFSETS = { minimum: -1e10, maximum: 1e10 };

/** Throws SettingError for the first setting that cannot be used. */
export const readConfig = (environment: Environment, flags: Flags = {}): Config => {
  refuseEmpty(flags);
  // An empty or blank variable counts as unset: container files often set it so, and a password of blanks would lock nothing.
  const env = (name: Variable): string | undefined => {
    const value = unquoted(readVariable(environment, name) ?? "");
    return value.trim() === "" ? undefined : value;
  };
  const settingsPath = readSettingsPath(flags.config, env("SIGNALBOX_CONFIG"));
  const file = readSettingsFile(settingsPath);
  const url = (name: Variable) => readUrl(name, env(name));
  const { timeouts, ...settings } = SettingsFile.properties;
  // A variable is held to the bounds of the file's setting.
  const number = (name: "PORT" | "SIGNALBOX_DRAIN_S" | "SIGNALBOX_COOLDOWN_MS") =>
    readNumber(name, env(name), settings[VARIABLES[name]]) ?? file[VARIABLES[name]];
  const timeout = (name: Variable, setting: keyof typeof timeouts.properties) =>
    readNumber(name, env(name), timeouts.properties[setting]) ?? file.timeouts?.[setting];
  const list = (
    name: "SIGNALBOX_ALLOWED_HOSTS" | "SIGNALBOX_CORS_ORIGINS" | "SIGNALBOX_TRUSTED_PROXIES",
    read: (name: string, text: string) => string,
  ) => {
    const setting = VARIABLES[name];
    return listed(env(name))?.map((text) => read(name, text)) ?? file[setting]?.map((text) => read(setting, text)) ?? [];
  };
  const otlpEndpoint = url("OTEL_EXPORTER_OTLP_ENDPOINT");

  return {
    // An IPv6 address in brackets is accepted, too.
    host: (flags.host ?? env("HOST") ?? file.host ?? DEFAULTS.host).replace(/^\[(.*)\]$/, "$1"),
    port: readNumber("--port", flags.port, settings.port) ?? number("PORT") ?? DEFAULTS.port,
    // SQLite keeps its log beside the file that a link points to; lock and key belong there too.
    databasePath: throughLinks(flags.db ?? env("SIGNALBOX_DB") ?? file.database ?? DEFAULTS.databasePath),
    // As it is, because keys may be sealed with it.
    secret: readVariable(environment, "SIGNALBOX_SECRET"),
    adminPassword: env("SIGNALBOX_ADMIN_PASSWORD"),
    tls: readTlsPaths(env("SIGNALBOX_TLS_CERTIFICATE") ?? file.tls?.certificate, env("SIGNALBOX_TLS_KEY") ?? file.tls?.key),
    publicUrl: (url("SIGNALBOX_PUBLIC_URL") ?? readUrl("public_url", file.public_url))?.replace(/\/+$/, ""),
    durability: readWord("SIGNALBOX_DURABILITY", env("SIGNALBOX_DURABILITY"), DURABILITIES) ?? file.durability ?? "full",
    logLevel: readWord("LOG_LEVEL", env("LOG_LEVEL")?.toLowerCase(), LOG_LEVELS) ?? file.log_level ?? "info",
    drainMs: 1_000 * (number("SIGNALBOX_DRAIN_S") ?? DEFAULTS.drainSeconds),
    backups: readBackups(env("SIGNALBOX_BACKUP_FOLDER"), file.backups),
    timeouts: {
      connectMs: timeout("SIGNALBOX_TIMEOUT_CONNECT_MS", "connect_ms") ?? DEFAULTS.timeouts.connectMs,
      firstByteMs: timeout("SIGNALBOX_TIMEOUT_FIRST_BYTE_MS", "first_byte_ms") ?? DEFAULTS.timeouts.firstByteMs,
      idleMs: timeout("SIGNALBOX_TIMEOUT_IDLE_MS", "idle_ms") ?? DEFAULTS.timeouts.idleMs,
      totalMs: timeout("SIGNALBOX_TIMEOUT_TOTAL_MS", "total_ms") ?? DEFAULTS.timeouts.totalMs,
    },
    isBehindProxy: PROXY_VARIABLES.some((name) => environment[name]),
    cooldownMs: number("SIGNALBOX_COOLDOWN_MS") ?? DEFAULTS.cooldownMs,
    clockOffsetMs: 1_000 * (readNumber("SIGNALBOX_CLOCK_OFFSET_S", env("SIGNALBOX_CLOCK_OFFSET_S"), CLOCK_OFFSETS) ?? 0),
    allowedHosts: list("SIGNALBOX_ALLOWED_HOSTS", readHost),
    corsOrigins: list("SIGNALBOX_CORS_ORIGINS", readOrigin),
    trustedProxies: list("SIGNALBOX_TRUSTED_PROXIES", readNetwork),
    userHeader: readHeaderName("SIGNALBOX_USER_HEADER", env("SIGNALBOX_USER_HEADER")) ?? file.user_header,
    alertUrl: readSecretUrl("SIGNALBOX_ALERT_URL", env("SIGNALBOX_ALERT_URL")) ?? file.alert_url,
    adminToken: readToken("SIGNALBOX_ADMIN_TOKEN", env("SIGNALBOX_ADMIN_TOKEN")) ?? file.admin_token,
    metricsToken: env("SIGNALBOX_METRICS_TOKEN") ?? file.metrics_token,
    otlp:
      otlpEndpoint === undefined
        ? undefined
        : {
            endpoint: otlpEndpoint,
            headers: env("OTEL_EXPORTER_OTLP_HEADERS"),
            serviceName: env("OTEL_SERVICE_NAME"),
            resourceAttributes: env("OTEL_RESOURCE_ATTRIBUTES"),
          },
    settingsPath,
    file,
    environment,
  };
};

const readTlsPaths = (certificate: string | undefined, key: string | undefined): Config["tls"] => {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate !== undefined && key !== undefined) return { certificate: resolve(certificate), key: resolve(key) };
  const [given, missing] = key === undefined ? ["certificate", "key"] : ["key", "certificate"];
  throw new SettingError(`tls.${given} is set, and tls.${missing} is not; TLS needs both files.`);
};

const readBackups = (variable: string | undefined, inFile: SettingsFile["backups"]): Config["backups"] => {
  const folder = variable ?? inFile?.folder;
  if (folder === undefined) return undefined;
  const { every_hours: everyHours = DEFAULTS.backups.everyHours, keep = DEFAULTS.backups.keep } = inFile ?? {};
  return { folder: resolve(folder), everyMs: everyHours * HOUR_MS, keep };
};

/** An empty flag is a mistake, such as an unset variable of a script. */
const refuseEmpty = ({ db, host }: Flags): void => {
  if (db === "") throw new SettingError('--db is ""; it may be the path of the SQLite file.');
  if (host?.trim() === "") throw new SettingError(`--host is "${host}"; it may be an address of this machine.`);
};

/** A settings file that is named must exist; the usual one need not. */
const readSettingsPath = (flag: string | undefined, variable: string | undefined): string => {
  const named = flag ?? variable;
  if (named === undefined || existsSync(named)) return named ?? DEFAULTS.settingsPath;
  const setting = flag === undefined ? "SIGNALBOX_CONFIG" : "--config";
  throw new SettingError(`${setting} is "${named}", which does not exist; it may be the path of a settings file.`);
};

const listed = (text: string | undefined): string[] | undefined => text?.split(",").filter((part) => part.trim() !== "");
