/** Reads `signalbox.yaml`; whatever is wrong with it is reported in one line that names the place. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { Value } from "@sinclair/typebox/value";
import { firstProblem } from "../lib/first-problem.ts";
import { isRecord } from "../lib/is-record.ts";
import { nearestName } from "./nearest-name.ts";
import { SettingError } from "./read-setting.ts";
import { SettingsFile } from "./settings-file.ts";
import { atLineOf, repeatedSetting, unreadableLine } from "./settings-lines.ts";

/** `served`: while the server runs, when a missing file does not count as empty and nothing may be waited for. Throws SettingError. */
export const readSettingsFile = (path: string, served = false): SettingsFile => {
  if (!existsSync(path)) {
    if (served) throw new SettingError(`The settings file ${path} does not exist.`);
    return {};
  }
  if (served && !statSync(path).isFile()) throw new SettingError(`The settings file ${path} is a folder, a pipe or a device.`);
  const text = readText(path);
  let parsed: unknown;
  try {
    parsed = Bun.YAML.parse(text) ?? {};
  } catch (error) {
    const line = unreadableLine(text, Bun.YAML.parse);
    throw new SettingError(`${path} is not valid YAML${line ? ` near line ${line}` : ""}: ${(error as Error).message}`);
  }
  const repeated = repeatedSetting(text);
  if (repeated)
    throw new SettingError(
      `${path}: \`${repeated.name}\` is given twice (lines ${repeated.lines.join(" and ")}); put both in one.`,
    );
  if (!isRecord(parsed)) throw new SettingError(`${path} contains no settings: it must be a list of \`name: value\` lines.`);
  const given = withoutEmpty(parsed);
  if (Value.Check(SettingsFile, given)) return given;
  const problem = firstProblem(SettingsFile, given);
  throw new SettingError(
    problem.message.endsWith("is not a known field.")
      ? `${path}: unknown setting \`${problem.path}\`${atLineOf(text, problem.path)}. ${hintFor(problem.path)}`
      : `${path}: ${SECRET.test(problem.path) ? withoutValue(problem.message) : problem.message}`,
  );
};

/** Settings that hold keys, and those in whose place a key may have been written; the weight of a key is neither. */
const SECRET =
  /^(?:(?:admin|metrics)_token|alert_url|providers|providers\.[^.]+|providers\.(?!.*\.keys\.\d+\.weight$).*\.(?:keys?|headers)(?:\..*)?)$/;

/** The line may end up in a process log, where no key may stand. */
const withoutValue = (message: string): string => message.replace(/; it was .*$/s, ".");

/** The setting that an unknown one, such as `timeouts.idel_ms`, resembles, or where to look it up. */
const hintFor = (setting: string): string => {
  const above = setting.split(".");
  const name = above.pop()!;
  let schema: any = SettingsFile;
  for (const part of above)
    schema = schema.properties?.[part] ?? schema.items ?? Object.values(schema.patternProperties ?? {})[0] ?? {};
  const known = Object.keys(schema.properties ?? {});
  // Other gateways call a provider's `key` its `api_key`.
  const nearest = nearestName(name, known) ?? known.find((ending) => name.endsWith(`_${ending}`));
  return nearest === undefined
    ? "See the schema printed by `signalbox config schema`."
    : `Did you mean \`${[...above, nearest].join(".")}\`?`;
};

/** A setting without a value, such as `providers:` with all that is below it commented out, counts as absent. */
const withoutEmpty = (parsed: object): object =>
  Object.fromEntries(Object.entries(parsed).filter(([name, value]) => value !== null || !(name in SettingsFile.properties)));

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new SettingError(`The settings file ${path} cannot be read (${(error as { code?: string }).code}).`);
  }
};
