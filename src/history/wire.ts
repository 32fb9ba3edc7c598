/** The history as the dashboard's API and the command line give it. */

import { Type } from "@sinclair/typebox";
import { toIso } from "../lib/clock.ts";
import { oneOf } from "../lib/one-of.ts";
import { KINDS } from "./change.ts";
import type { RecordedChange } from "./store.ts";

export const HistoryQuery = Type.Object({
  project: Type.Optional(Type.String({ maxLength: 200, description: "Its id, or a name that it had" })),
  kind: Type.Optional(oneOf(KINDS)),
  start_date: Type.Optional(Type.String({ description: "ISO 8601, a time or a UTC day" })),
  end_date: Type.Optional(Type.String({ description: "ISO 8601, a time or a UTC day, which is included" })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
});

export const toWireChange = (change: RecordedChange) => ({
  id: change.seq,
  timestamp: toIso(change.changedAtMs),
  action: change.action,
  object_id: change.objectId,
  object_name: change.objectName,
  project_id: change.projectId,
  project_name: change.projectName,
  actor: change.actor,
  member: change.member,
  key_id: change.keyId,
  key_name: change.keyName,
  ip: change.ip,
  changes: change.fields,
});
export type WireChange = ReturnType<typeof toWireChange>;
