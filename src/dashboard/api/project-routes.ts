/** Projects, their settings and their keys (decisions §3; spec.md: keys are created in the dashboard). */

import { Type } from "@sinclair/typebox";
import { SCOPES } from "../../accounts/api-key.ts";
import { MOST_BUDGET_USD, parseExpiry } from "../../accounts/key-terms.ts";
import { isName, NAME_RULE, type Project } from "../../accounts/project.ts";
import {
  changeProjectSettings,
  findProject,
  findProjectByName,
  insertKey,
  listKeys,
  listProjects,
  revokeKey,
  upsertProject,
} from "../../accounts/store.ts";
import { conflict, invalidRequest, notFound } from "../../api-error.ts";
import { readJson } from "../../http/read-json.ts";
import { toNanoUsd } from "../../lib/money.ts";
import { orNull } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import { LIMIT_GROUPS, TIERS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import type { KeyRow, NewKey, ProjectRow, ProjectSettingsBody } from "../wire.ts";
import { changedSettings, toKeyRow, toProjectRow } from "./project-rows.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const name = Type.String();
const count = orNull(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }));
const share = Type.Number({ minimum: 0, maximum: 1 });

const NewProjectBody = Type.Object({ name, tier: oneOf(TIERS) });
const OwnLimits = Type.Partial(Type.Object({ per_minute: count, per_day: count, concurrent: count }));
const Settings = Type.Partial(
  Type.Object({
    quality_cost: share,
    exploration: share,
    learning_frozen: Type.Boolean(),
    enforce_monthly_quota: Type.Boolean(),
    store_bodies: Type.Boolean(),
    log_retention_days: orNull(Type.Integer({ minimum: 1, maximum: 3_650 })),
    shadow: orNull(Type.Object({ model: Type.String({ minLength: 1, maxLength: 200 }), sample_rate: share })),
    limits: Type.Partial(Type.Object(Object.fromEntries(LIMIT_GROUPS.map((group) => [group, OwnLimits])))),
  }),
);
const ChangeProjectBody = Type.Object({ tier: Type.Optional(oneOf(TIERS)), settings: Type.Optional(Settings) });
const NewKeyBody = Type.Object({
  name,
  mode: oneOf(["live", "test"]),
  scopes: Type.Optional(orNull(Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true }))),
  budget_usd: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: MOST_BUDGET_USD }))),
  expires_at: Type.Optional(orNull(Type.String({ maxLength: 40 }))),
});

export const projectRoutes = (platform: Platform) => {
  const { db, clock, accounts, budgets } = platform;
  const requireProject = async (id: string): Promise<Project> => {
    const project = await findProject(db, id);
    if (project === undefined) throw notFound("The project");
    return project;
  };

  return signedInRoutes(platform)
    .get("/projects", async () => ({ projects: (await listProjects(db)).map(toProjectRow) }))
    .post("/projects", async ({ request, set }): Promise<ProjectRow> => {
      const body = await readJson(request, NewProjectBody);
      requireName(body.name);
      if ((await findProjectByName(db, body.name)) !== undefined)
        throw conflict(`There is a project "${body.name}" already.`, "name");
      set.status = 201;
      return toProjectRow(await upsertProject(db, body.name, body.tier, clock.now()));
    })
    .patch("/projects/:id", async ({ request, params }): Promise<ProjectRow> => {
      const project = await requireProject(params.id);
      const { tier, settings } = await readJson(request, ChangeProjectBody);
      const shadow = settings?.shadow?.model;
      if (shadow !== undefined && platform.catalog.findChatModel(shadow) === undefined)
        throw invalidRequest(`There is no model "${shadow}".`, "settings.shadow.model");
      if (tier !== undefined) await upsertProject(db, project.name, tier, clock.now());
      if (settings !== undefined)
        await changeProjectSettings(db, project.id, (before) =>
          changedSettings(before, settings as Partial<ProjectSettingsBody>),
        );
      accounts.forget();
      return toProjectRow(await requireProject(params.id));
    })
    .get("/projects/:id/keys", async ({ params }): Promise<{ keys: KeyRow[] }> => {
      await accounts.flushLastUsed();
      const keys = await listKeys(db, (await requireProject(params.id)).id);
      return { keys: keys.map((key) => toKeyRow(key, budgets.spent(key.id))).reverse() };
    })
    .post("/projects/:id/keys", async ({ request, params, set }): Promise<NewKey> => {
      const project = await requireProject(params.id);
      const body = await readJson(request, NewKeyBody);
      requireName(body.name);
      const { record, text } = await insertKey(
        db,
        {
          projectId: project.id,
          name: body.name,
          mode: body.mode,
          scopes: body.scopes ?? null,
          budgetNanoUsd: body.budget_usd == null ? null : toNanoUsd(body.budget_usd),
          expiresAtMs: readExpiry(body.expires_at ?? null, clock.now()),
        },
        clock.now(),
      );
      accounts.forget();
      set.status = 201;
      return { key: text, record: toKeyRow(record, 0) };
    })
    .delete("/projects/:id/keys/:key", async ({ params }) => {
      const project = await requireProject(params.id);
      const known = (await listKeys(db, project.id)).some(({ id }) => id === params.key);
      if (!known || !(await revokeKey(db, params.key, clock.now()))) throw notFound("A valid key of that id");
      accounts.forget();
      return { id: params.key, deleted: true };
    });
};

const requireName = (text: string): void => {
  if (!isName(text)) throw invalidRequest(`The name must be ${NAME_RULE}.`, "name");
};

const readExpiry = (text: string | null, now: number): number | null => {
  if (text === null) return null;
  const at = parseExpiry(text);
  if (!(at > now)) throw invalidRequest("The expiry must be a date in the future.", "expires_at");
  return at;
};
