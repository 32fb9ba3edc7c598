/** `signalbox keys create | list | revoke`: work on the file itself, whether or not the server runs. */

import { type ApiKey, isScope, SCOPES, type Scope } from "../../accounts/api-key.ts";
import { FURTHEST_MS, MOST_BUDGET_USD, parseExpiry } from "../../accounts/key-terms.ts";
import type { Project } from "../../accounts/project.ts";
import { findProjectByName, insertKey, listKeys, listProjects, revokeKey, upsertProject } from "../../accounts/store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock, toIso } from "../../lib/clock.ts";
import { toNanoUsd, toUsd } from "../../lib/money.ts";
import { type Given, printJson, printTable, requireName, requireTierName, UsageError } from "../command.ts";
import { withDatabase } from "../with-database.ts";

export const createKey = async ({ values }: Given, environment: Environment): Promise<number> => {
  if (!values.project?.trim()) throw new UsageError("--project NAME is needed.");
  requireName("--project", values.project);
  if (values.name !== undefined) requireName("--name", values.name);
  if (values.live && values.test) throw new UsageError("--live and --test exclude each other.");
  const tier = values.tier === undefined ? undefined : requireTierName("--tier", values.tier);
  const config = readConfig(environment, values);
  const now = systemClock(config.clockOffsetMs).now();
  const scopes = readScopes(values.scopes);
  const expiresAtMs = readExpiry(values.expires, now);
  const budgetNanoUsd = readBudget(values.budget);
  return withDatabase(config, async (db) => {
    const project = await upsertProject(db, values.project, tier, now);
    const mode = values.test ? "test" : "live";
    const { record, text } = await insertKey(
      db,
      { projectId: project.id, name: values.name ?? mode, mode, scopes, budgetNanoUsd, expiresAtMs },
      now,
    );
    if (values.json) printJson({ ...toPrinted(record, project), key: text });
    else
      process.stdout.write(
        `${text}\n\nThis is the only time the key is shown. Project ${project.name} (${project.tier}), key ${record.id}.\n`,
      );
    return 0;
  });
};

export const listAllKeys = async ({ values }: Given, environment: Environment): Promise<number> => {
  return withDatabase(readConfig(environment, values), async (db, now) => {
    const projects = new Map((await listProjects(db)).map((project) => [project.id, project]));
    const only = values.project === undefined ? undefined : await findProjectByName(db, values.project);
    if (values.project !== undefined && only === undefined)
      throw new Error(`There is no project "${values.project}" (see projects list).`);
    const keys = (await listKeys(db, only?.id)).map((key) => ({ key, project: projects.get(key.projectId)! }));
    if (values.json) printJson(keys.map(({ key, project }) => toPrinted(key, project)));
    else {
      printTable(
        ["ID", "PROJECT", "MODE", "NAME", "KEY", "STATE", "EXPIRES"],
        keys.map(({ key, project }) => [
          key.id,
          project.name,
          key.mode,
          key.name,
          `…${key.lastFour}`,
          stateOf(key, now),
          toIso(key.expiresAtMs) ?? "never",
        ]),
      );
    }
    return 0;
  });
};

export const revokeOneKey = async ({ values, positionals }: Given, environment: Environment): Promise<number> => {
  const [id] = positionals;
  if (id === undefined) throw new UsageError("Name the key: keys revoke ID (see keys list).");
  return withDatabase(readConfig(environment, values), async (db, now) => {
    const revoked = await revokeKey(db, id, now);
    if (!revoked) throw new Error(`There is no valid key ${id} (see keys list).`);
    if (values.json) printJson({ id, revoked: true, deleted: true });
    else process.stdout.write(`${id} is revoked.\n`);
    return 0;
  });
};

const stateOf = ({ revokedAtMs, expiresAtMs }: ApiKey, now: number): string => {
  if (revokedAtMs !== null) return "revoked";
  return expiresAtMs !== null && expiresAtMs <= now ? "expired" : "valid";
};

const toPrinted = (key: ApiKey, project: Project) => ({
  id: key.id,
  project_id: project.id,
  project: project.name,
  tier: project.tier,
  mode: key.mode,
  name: key.name,
  last_four: key.lastFour,
  scopes: key.scopes ?? [...SCOPES],
  budget_usd: key.budgetNanoUsd === null ? null : toUsd(key.budgetNanoUsd),
  created_at: toIso(key.createdAtMs),
  expires_at: toIso(key.expiresAtMs),
  revoked_at: toIso(key.revokedAtMs),
  last_used_at: toIso(key.lastUsedAtMs),
});

const readScopes = (text: string | undefined): Scope[] | null => {
  if (text === undefined) return null;
  const scopes = text.split(",").map((scope) => scope.trim());
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) throw new UsageError(`--scopes names "${wrong}"; scopes are ${SCOPES.join(", ")}.`);
  return scopes as Scope[];
};

const UNITS: Record<string, number> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** `30d`, `12h`, or an ISO date that lies ahead. */
const readExpiry = (text: string | undefined, now: number): number | null => {
  if (text === undefined) return null;
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const at = amount !== undefined ? now + Number(amount) * UNITS[unit!]! : parseExpiry(text);
  if (!(at <= FURTHEST_MS)) throw new UsageError(`--expires is "${text}"; it may be like 30d, 12h or an ISO date.`);
  if (at <= now) throw new UsageError(`--expires is "${text}", which has passed.`);
  return at;
};

const readBudget = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  const usd = Number(text);
  if (text.trim() === "" || !(usd >= 0) || usd > MOST_BUDGET_USD)
    throw new UsageError(`--budget is "${text}"; it may be an amount of USD a month from 0 to ${MOST_BUDGET_USD}.`);
  return toNanoUsd(usd);
};
