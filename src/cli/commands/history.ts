/** `signalbox history`: who changed what, newest first. */

import { findProjectByName } from "../../accounts/store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import type { Author } from "../../history/author.ts";
import { KINDS } from "../../history/change.ts";
import { listChanges, type RecordedChange } from "../../history/store.ts";
import { toWireChange } from "../../history/wire.ts";
import { toIso } from "../../lib/clock.ts";
import { parseIso } from "../../lib/parse-iso.ts";
import { type Given, readCount, requireWord, tableOf, tell, UsageError } from "../command.ts";
import { hasDatabase, withDatabase } from "../with-database.ts";

const LINES = "50";
const MOST_LINES = 10_000;

export const showHistory = async (given: Given, environment: Environment): Promise<number> => {
  const { values } = given;
  const kind = values.kind === undefined ? undefined : requireWord("--kind", values.kind, KINDS);
  const fromMs = values.since === undefined ? undefined : parseIso(values.since)?.ms;
  if (values.since !== undefined && fromMs === undefined)
    throw new UsageError(`--since is "${values.since}"; it may be an ISO date.`);
  const limit = readCount("--limit", values.limit ?? LINES, MOST_LINES);
  const config = readConfig(environment, values);
  const changes = hasDatabase(config)
    ? await withDatabase(config, async (db) => {
        // Of a project that was deleted, the name alone is known.
        const project = values.project && ((await findProjectByName(db, values.project))?.id ?? values.project);
        return (await listChanges(db, { project, kind, fromMs }, { limit, offset: 0 })).changes;
      })
    : [];
  return tell(
    given,
    changes.map(toWireChange),
    tableOf(["WHEN", "WHO", "WHAT", "PROJECT", "OF", "FIELDS"], changes.map(cellsOf)),
  );
};

/** Without control characters: names that callers give reach a terminal here. */
const cellsOf = (change: RecordedChange): string[] => cellsAsGiven(change).map((cell) => cell.replace(/\p{Cc}/gu, " "));

const cellsAsGiven = (change: RecordedChange): string[] => [
  toIso(change.changedAtMs),
  `${whoOf(change)}${change.ip === null ? "" : ` (${change.ip})`}`,
  change.action,
  change.projectName ?? change.projectId ?? "",
  change.objectName ?? change.objectId ?? "",
  inWords(change),
];

const whoOf = ({ actor, keyName, member }: RecordedChange): string =>
  member ?? (keyName === null ? WHO[actor] : `key ${keyName}`);

const WHO: Record<Author["actor"], string> = {
  dashboard: "dashboard",
  admin_token: "admin token",
  key: "key",
  command_line: "command line",
  server: "server",
};

/** What was made or deleted was nothing before or after, so one value tells all. */
const inWords = ({ action, fields }: RecordedChange): string =>
  Object.entries(fields)
    .map(([name, { before, after }]) => {
      const values = /(created|invited|deleted)$/.test(action) ? [after ?? before] : [before, after];
      return `${name}: ${values.map(wordOf).join(" → ")}`;
    })
    .join("; ");

const wordOf = (value: unknown): string => (value === null ? "none" : Array.isArray(value) ? value.join(", ") : String(value));
