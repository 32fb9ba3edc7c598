/** The keys and headers that go with each request to a provider. Throws SettingError, naming the setting, for what cannot be sent. */

import { type Environment, SettingError } from "../config/config.ts";
import { readVariable } from "../config/read-variable.ts";
import type { ProviderSettings } from "../config/settings-file.ts";
import { unquoted } from "../config/unquoted.ts";
import { HEADER_NAME, HEADER_VALUE } from "./transport/transport.ts";
import type { ProviderKey } from "./upstream/key-ring.ts";

/** The first of these variables that is set. */
export const firstSet = (
  environment: Environment,
  names: readonly string[] = [],
): { setting: string; text: string } | undefined =>
  names.map((setting) => ({ setting, text: bare(readVariable(environment, setting) ?? "") })).find(({ text }) => text !== "");

/** Without what was copied along: blanks, quotes, and the word before a key in its header. */
const bare = (text: string): string =>
  unquoted(text)
    .trim()
    .replace(/^Bearer(?:\s+|$)/i, "");

export const readKeys = (id: string, settings: ProviderSettings | undefined, environment: Environment): ProviderKey[] => {
  if (settings?.keys !== undefined && settings.key !== undefined)
    throw new SettingError(`providers.${id} has both \`key\` and \`keys\`; put all into \`keys\`.`);
  const given = settings?.keys ?? (settings?.key === undefined ? [] : [{ key: settings.key }]);
  const setting = `providers.${id}.key`;
  return given.map(({ key, weight = 1 }: { key: string; weight?: number }, index: number) => ({
    id: `${id}-${index + 1}`,
    key: requireSendable(setting, bare(fromEnvironment(key, environment, setting))),
    weight,
  }));
};

export const readHeaders = (id: string, given: Record<string, string> = {}, environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const setting = `providers.${id}.headers.${name}`;
      if (!HEADER_NAME.test(name)) throw new SettingError(`${setting}: "${name}" cannot be the name of a header.`);
      return [name, requireSendable(setting, fromEnvironment(text, environment, setting))];
    }),
  );

/** Refuses values that no header can carry, which would look like an unreachable provider. It may be a secret, so it is not shown. */
export const requireSendable = (setting: string, value: string): string => {
  if (HEADER_VALUE.test(value)) return value;
  throw new SettingError(`${setting} holds a line break or another character that no header can carry.`);
};

/** How other programs' files refer to the environment; here it would be sent as the key. */
const FOREIGN_REFERENCE = /^(?:\$\{(?:env:)?(\w+)\}|\$([A-Z][A-Z0-9_]+)|os\.environ\/(\w+)|env\.([A-Z][A-Z0-9_]+))$/;

/** The value itself, or that of the variable which it names as `env:NAME`. */
export const fromEnvironment = (value: string, environment: Environment, setting: string): string => {
  const foreign = FOREIGN_REFERENCE.exec(value.trim())
    ?.slice(1)
    .find((name) => name !== undefined);
  if (foreign !== undefined)
    throw new SettingError(`${setting} is "${value}"; an environment variable is written env:${foreign}.`);
  if (!value.startsWith("env:")) return value;
  const name = value.slice(4).trim();
  const found = readVariable(environment, name);
  if (found === undefined) throw new SettingError(`${setting} names the environment variable ${name}, which is not set.`);
  return found;
};
