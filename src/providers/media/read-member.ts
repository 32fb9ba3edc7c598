/** Careful looks into JSON of strangers: a member of the wrong type reads as absent instead of throwing. */

type Json = Record<string, unknown>;

const asObject = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
export const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Follows member names and array indices: `member(json, "data", 0, "url")`. */
export const member = (value: unknown, ...path: (string | number)[]): unknown => {
  let here: unknown = value;
  for (const step of path)
    here =
      typeof step === "number" ? asArray(here)[step] : Object.hasOwn(asObject(here), step) ? asObject(here)[step] : undefined;
  return here;
};
