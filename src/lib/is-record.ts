/** Tells JSON objects, and objects and lists, from everything else that `unknown` may hold. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
