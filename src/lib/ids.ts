/** Identifiers: a readable prefix and a time-ordered UUID without dashes, so that rows inserted together lie together. */

type IdPrefix = "call" | "proj" | "key" | "doc" | "pol" | "sch" | "vid" | "file" | "job" | "chatcmpl" | "msg" | "sess" | "fb";

export const newId = (prefix: IdPrefix): string => `${prefix}_${Bun.randomUUIDv7("hex").replaceAll("-", "")}`;
