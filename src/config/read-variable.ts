/** Reads one variable of the environment, or the file that holds its value: Docker and Kubernetes hand out secrets as files. */

import { readFileSync } from "node:fs";
import { SettingError } from "./read-setting.ts";
import { type Environment, FILE } from "./variables.ts";

/** Where `NAME` is not set, the content of the file that `NAME_FILE` names. An empty variable counts as unset. Throws SettingError. */
export const readVariable = (environment: Environment, name: string): string | undefined => {
  const path = environment[`${name}${FILE}`];
  if (environment[name] || !path) return environment[name] || undefined;
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "") || undefined;
  } catch (error) {
    throw new SettingError(`${name}${FILE} is "${path}", which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};
