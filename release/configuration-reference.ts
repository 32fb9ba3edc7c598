/**
 * Makes docs/configuration.md and signalbox.schema.json from the schema of the settings file and the table of variables:
 * `bun run release/configuration-reference.ts`.
 */

import { join } from "node:path";
import { PROVIDERS } from "../src/catalog/providers.ts";
import { DEFAULTS } from "../src/config/defaults.ts";
import { settingsSchema } from "../src/config/settings-schema.ts";
import { VARIABLES, type Variable } from "../src/config/variables.ts";

type Schema = Record<string, any>;
type Row = { name: string; type: string; meaning: string };

type WithoutSetting = { [Name in Variable as (typeof VARIABLES)[Name] extends null ? Name : never]: string };

/** What is to be said of a variable besides the description of its setting. */
const NOTES: WithoutSetting & Partial<Record<Variable, string>> = {
  HOST: "`--host` wins. A public address needs an admin password.",
  PORT: "`--port` wins.",
  SIGNALBOX_DB: "`--db` wins.",
  SIGNALBOX_CONFIG: `The settings file (\`${DEFAULTS.settingsPath}\`); \`--config\` wins. If named, it must exist.`,
  SIGNALBOX_ADMIN_PASSWORD: "The dashboard's password for as long as it is set, in place of the link printed by the first start.",
  SIGNALBOX_SECRET: "Seals provider keys typed into the dashboard, instead of the key file beside the database.",
  SIGNALBOX_NEW_SECRET: "The secret that `signalbox secret rotate` changes to; without it, it makes a new key file.",
  SIGNALBOX_ALLOWED_HOSTS: "Separated by commas.",
  SIGNALBOX_CORS_ORIGINS: "Separated by commas.",
  SIGNALBOX_TRUSTED_PROXIES: "Separated by commas.",
  SIGNALBOX_CLOCK_OFFSET_S: "Shifts the program's whole clock, for testing expiry and retention.",
  OTEL_EXPORTER_OTLP_ENDPOINT: "Where traces and metrics are sent (OTLP over HTTP); off if absent.",
  OTEL_EXPORTER_OTLP_HEADERS: "Headers for it, as `name=value`, separated by commas.",
  OTEL_RESOURCE_ATTRIBUTES: "What else is said of it there, as `deployment.environment.name=production`, separated by commas.",
  OTEL_SERVICE_NAME: "What this server is called there (`signalbox`).",
  HTTPS_PROXY: "The proxy for requests to providers; hosts in `NO_PROXY` are reached without it.",
  HTTP_PROXY: "The same for addresses that begin with `http://`.",
};

export const configurationReference = (): string =>
  [
    "# Configuration",
    "",
    "<!-- Made by release/configuration-reference.ts from the program's own schema. Change that, not this. -->",
    "",
    "Nothing has to be configured. Where something is set more than once, the first of these wins: flags, environment, `signalbox.yaml`, the dashboard, defaults.",
    "A wrong value prevents the start, with one line that names the setting, its value and what is allowed; unknown settings in the file do, too.",
    "A variable that begins with `SIGNALBOX_` and is none of these is named in a warning, because it may be misspelt.",
    "`signalbox config check` checks without starting. Changes to providers, models and searches apply within a second; the rest needs a restart.",
    "",
    "Editors offer completion when the file begins with this line (or with the path of `src/config/signalbox.schema.json`):",
    "",
    "```yaml",
    "# yaml-language-server: $schema=http://127.0.0.1:8484/config.schema.json",
    "```",
    "",
    "A `.env` file in the working directory is read as environment. Quotes around a value, which `docker run --env-file` keeps, are no part of it.",
    "Each variable on this page, but for the proxies' and those that name a file themselves, may be given as a file: `OPENAI_API_KEY_FILE=/run/secrets/openai` counts where `OPENAI_API_KEY` is not set.",
    "",
    "## signalbox.yaml",
    "",
    ...table("Setting", SETTINGS),
    "",
    "## Environment",
    "",
    ...table(
      "Variable",
      Object.entries(VARIABLES).map(([name, setting]) => ({
        name,
        type: setting ? `\`${setting}\`` : "",
        meaning: `${SETTINGS.find((row) => row.name === setting)?.meaning ?? ""} ${NOTES[name as Variable] ?? ""}`.trim(),
      })),
      "In the file",
    ),
    "",
    "## Keys and addresses of providers",
    "",
    "| Provider | Key | Address |",
    "|---|---|---|",
    ...PROVIDERS.filter(({ keyVariables, baseUrlVariables }) => keyVariables.length + baseUrlVariables.length > 0).map(
      ({ id, name, keyVariables, baseUrlVariables, baseUrl }) =>
        `| ${name} (\`${id}\`) | ${codes(keyVariables)} | ${codes(baseUrlVariables)}${baseUrl ? ` (${baseUrl})` : ""} |`,
    ),
    "",
  ].join("\n");

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const table = (head: string, rows: Row[], second = "Type"): string[] => [
  `| ${head} | ${second} | Meaning |`,
  "|---|---|---|",
  ...rows.map(
    ({ name, type, meaning }) => `| \`${name}\` | ${type.replaceAll("|", "\\|")} | ${meaning.replaceAll("|", "\\|")} |`,
  ),
];

/** One row for each value; members of lists and maps stand under `[]` and `<name>`. */
const rowsOf = (schema: Schema, at: string, inherited = ""): Row[] => {
  const meaning: string = schema["description"] ?? inherited;
  if (schema["items"]?.["type"] === "object") return rowsOf(schema["items"], `${at}[]`, meaning);
  if (schema["type"] !== "object") return [{ name: at, type: typeOf(schema), meaning }];
  return [
    ...Object.entries<Schema>(schema["properties"] ?? {}).map(([name, child]) => [at ? `${at}.${name}` : name, child] as const),
    ...Object.values<Schema>(schema["patternProperties"] ?? {}).map((child) => [`${at}.<name>`, child] as const),
  ].flatMap(([name, child]) => rowsOf(child, name, meaning));
};

const typeOf = (schema: Schema): string => {
  if (schema["const"] !== undefined) return `\`${schema["const"]}\``;
  if (schema["anyOf"]) return schema["anyOf"].map(typeOf).join(" | ");
  if (schema["type"] === "array") return `list of ${typeOf(schema["items"] ?? {})}`;
  const [least, most] = [schema["minimum"], schema["maximum"]];
  return `${schema["type"]}${least === undefined ? "" : most === undefined ? `, from ${least}` : ` ${least}-${most}`}`;
};

const SETTINGS = rowsOf(settingsSchema(), "");

if (import.meta.main) {
  await Bun.write(join(import.meta.dir, "../docs/configuration.md"), configurationReference());
  await Bun.write(join(import.meta.dir, "../src/config/signalbox.schema.json"), `${JSON.stringify(settingsSchema(), null, 2)}\n`);
}
