/** Safe access to untrusted JSON: a value that is missing at a path, or of another type, reads as empty instead of throwing. */

import { isRecord } from "./is-record.ts";

/** Names of members and places in lists; the empty path means the value itself. */
type Path = (string | number)[];

/** `valueAt(json, "data", 0, "url")`. */
export const valueAt = (json: unknown, ...path: Path): unknown => {
  let value = json;
  for (const step of path) {
    if (typeof step === "number") value = Array.isArray(value) ? value[step] : undefined;
    else value = isRecord(value) ? value[step] : undefined;
  }
  return value;
};

/** Empty if there is no text. */
export const textAt = (json: unknown, ...path: Path): string => {
  const value = valueAt(json, ...path);
  return typeof value === "string" ? value : "";
};

export const numberAt = (json: unknown, ...path: Path): number | undefined => {
  const value = valueAt(json, ...path);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

export const recordAt = (json: unknown, ...path: Path): Record<string, unknown> => {
  const value = valueAt(json, ...path);
  return isRecord(value) ? value : {};
};

export const listAt = (json: unknown, ...path: Path): unknown[] => {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value : [];
};

/** The objects of a list; other items are skipped. */
export const recordsAt = (json: unknown, ...path: Path): Record<string, unknown>[] => listAt(json, ...path).filter(isRecord);
