/** `signalbox keys create | update | list | revoke`: work on the file itself, whether or not the server runs. */

import { existsSync } from "node:fs";
import { type ApiKey, hashApiKey, isWellFormedKey, SCOPES } from "../../accounts/api-key.ts";
import { toWireTerms, UNLIMITED } from "../../accounts/key-terms.ts";
import type { Project } from "../../accounts/project.ts";
import {
  changeKey,
  findKeyBySecret,
  findProject,
  findProjectByName,
  insertKey,
  listKeys,
  listProjects,
  revokeKey,
  upsertProject,
} from "../../accounts/store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import type { Db } from "../../database/database.ts";
import { byCommand } from "../../history/author.ts";
import { systemClock, toIso } from "../../lib/clock.ts";
import { usdText } from "../../lib/money.ts";
import { TIERS } from "../../limits/tiers.ts";
import { type Given, requireName, requireWord, tableOf, tell, UsageError } from "../command.ts";
import { hasDatabase, withDatabase, withDatabaseOrNew } from "../with-database.ts";
import { readTerms } from "./read-key-terms.ts";

export const createKey = async (given: Given, environment: Environment): Promise<number> => {
  const { values } = given;
  if (!values.project?.trim()) throw new UsageError("--project NAME is needed.");
  requireName("--project", values.project);
  if (values.live && values.test) throw new UsageError("--live and --test exclude each other.");
  const tier = values.tier === undefined ? undefined : requireWord("--tier", values.tier, TIERS);
  const config = readConfig(environment, values);
  const now = systemClock(config.clockOffsetMs).now();
  const terms = await readTerms(given, config, now);
  const isNew = !existsSync(config.databasePath);
  return withDatabaseOrNew(config, async (db) => {
    const by = byCommand(now);
    const project = await upsertProject(db, by, values.project, tier);
    const mode = values.test ? "test" : "live";
    const { record, text } = await insertKey(db, by, { name: mode, ...UNLIMITED, ...terms, projectId: project.id, mode });
    return tell(
      given,
      { ...toPrinted(record, project), key: text },
      `${text}\n\nThis is the only time the key is shown. Project ${project.name} (${project.tier}), key ${record.id}.${isNew ? newFileNote(config.databasePath) : ""}`,
    );
  });
};

export const updateKey = async (given: Given, environment: Environment): Promise<number> => {
  const id = given.positionals[0]!;
  const config = readConfig(environment, given.values);
  const change = await readTerms(given, config, systemClock(config.clockOffsetMs).now());
  if (Object.keys(change).length === 0) throw new UsageError("Name what shall change, such as --budget 20 or --models none.");
  return withDatabase(config, async (db, now) => {
    const key = await changeKey(db, byCommand(now), id, change);
    if (key === undefined) throw noSuchKey(id);
    return tell(given, toPrinted(key, (await findProject(db, key.projectId))!), `${id} is changed.`);
  });
};

export const listAllKeys = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  const now = systemClock(config.clockOffsetMs).now();
  const keys = hasDatabase(config) ? await withDatabase(config, (db) => keysOf(db, given.values.project)) : [];
  const rows = keys.map(({ key, project }) => [
    key.id,
    project.name,
    key.mode,
    key.name,
    `…${key.lastFour}`,
    stateOf(key, now),
    toIso(key.expiresAtMs) ?? "never",
    inWords(key),
  ]);
  return tell(
    given,
    keys.map(({ key, project }) => toPrinted(key, project)),
    tableOf(["ID", "PROJECT", "MODE", "NAME", "KEY", "STATE", "EXPIRES", "TERMS"], rows),
  );
};

/** Those of one project or of all, each with its project. */
const keysOf = async (db: Db, name: string | undefined): Promise<{ key: ApiKey; project: Project }[]> => {
  const projects = new Map((await listProjects(db)).map((project) => [project.id, project]));
  const only = name === undefined ? undefined : await findProjectByName(db, name);
  if (name !== undefined && only === undefined) throw new Error(`There is no project "${name}" (see projects list).`);
  return (await listKeys(db, only?.id)).map((key) => ({ key, project: projects.get(key.projectId)! }));
};

export const revokeOneKey = async (given: Given, environment: Environment): Promise<number> => {
  const [named] = given.positionals as [string];
  return withDatabase(readConfig(environment, given.values), async (db, now) => {
    // Of a key that leaked, people have the text.
    const id = isWellFormedKey(named) ? findKeyBySecret(db, hashApiKey(named))?.key.id : named;
    if (id === undefined || !(await revokeKey(db, byCommand(now), id))) throw noSuchKey(id ?? `…${named.slice(-4)}`);
    return tell(given, { id, revoked: true, deleted: true }, `${id} is revoked.`);
  });
};

const newFileNote = (path: string): string =>
  `\n\n${path} did not exist and was made. A server with another database does not know this key; name its file with --db or SIGNALBOX_DB.`;

const noSuchKey = (id: string): Error => new Error(`There is no valid key ${id} (see keys list).`);

const stateOf = ({ revokedAtMs, expiresAtMs }: ApiKey, now: number): string => {
  if (revokedAtMs !== null) return "revoked";
  return expiresAtMs !== null && expiresAtMs <= now ? "expired" : "valid";
};

/** What binds the key; empty if nothing does. */
const inWords = ({ scopes, models, budgetNanoUsd, budgetPeriod, requestsPerMinute, tokensPerMinute }: ApiKey): string =>
  [
    ...(scopes === null ? [] : [scopes.join(",")]),
    ...(models === null ? [] : [models.join(",")]),
    ...(budgetNanoUsd === null
      ? []
      : [`${usdText(budgetNanoUsd)} USD ${budgetPeriod === "total" ? "in total" : `a ${budgetPeriod}`}`]),
    ...(requestsPerMinute === null ? [] : [`${requestsPerMinute} requests a minute`]),
    ...(tokensPerMinute === null ? [] : [`${tokensPerMinute} tokens a minute`]),
  ].join("; ");

const toPrinted = (key: ApiKey, project: Project) => ({
  id: key.id,
  project_id: project.id,
  project: project.name,
  tier: project.tier,
  mode: key.mode,
  last_four: key.lastFour,
  ...toWireTerms(key),
  scopes: key.scopes ?? [...SCOPES],
  created_at: toIso(key.createdAtMs),
  revoked_at: toIso(key.revokedAtMs),
  last_used_at: toIso(key.lastUsedAtMs),
});
