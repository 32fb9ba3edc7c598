/** Reads one variable of the environment, or the file that holds its value: Docker and Kubernetes hand out secrets as files. */

import { readFileSync } from "node:fs";
import { SettingError } from "./read-setting.ts";
import { type Environment, fileVariable } from "./variables.ts";

/** Where `NAME` is not set, the content of the file that `NAME_FILE` names. An empty variable counts as unset. Throws SettingError. */
export const readVariable = (environment: Environment, name: string): string | undefined => {
  const inFile = fileVariable(name);
  const path = inFile === undefined ? undefined : environment[inFile];
  if (environment[name] || !path) return environment[name] || undefined;
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "") || undefined;
  } catch (error) {
    throw new SettingError(`${inFile} is "${path}", which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};
