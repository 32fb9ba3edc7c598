/** Identifiers: a readable prefix and a time-ordered UUID without dashes, so that rows inserted together lie together. */

type IdPrefix = "call" | "proj" | "key" | "doc" | "pol" | "sch" | "vid" | "file" | "job" | "sess";

export const newId = (prefix: IdPrefix): string => `${prefix}_${Bun.randomUUIDv7("hex").replaceAll("-", "")}`;

/** The id of a call in the form of another API: `chatcmpl-…` for `call_…`. */
export const callIdAs = (prefix: string, callId: string): string => prefix + callId.slice("call_".length);

/** The other way round, from whichever id an answer had; other texts stay as they are. */
export const callIdOf = (id: string): string => id.replace(/^[a-z]+[-_](?=[0-9a-f]{32}$)/, "call_");
