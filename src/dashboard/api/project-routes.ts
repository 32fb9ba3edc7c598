/** Projects are created, changed and deleted (decisions §3). */

import { Type } from "@sinclair/typebox";
import { MOST_CACHE_S } from "../../accounts/project.ts";
import { changeProjectSettings, changeTier, insertProject, listProjects, renameProject } from "../../accounts/store.ts";
import { conflict, invalidRequest } from "../../api-error.ts";
import { deleteProject } from "../../delete-project.ts";
import { readJson } from "../../http/read-json.ts";
import { orNull } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import { LIMIT_GROUPS, TIERS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import type { ProjectRow, ProjectSettingsBody, ProjectsAnswer } from "../wire.ts";
import { changedSettings, SETTINGS_BY_DEFAULT, tierRows, toProjectRow } from "./project-rows.ts";
import { requireName, requireProject } from "./require.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const count = orNull(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }));
const share = Type.Number({ minimum: 0, maximum: 1 });

const NewProjectBody = Type.Object({ name: Type.String(), tier: oneOf(TIERS) });
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
    cache: orNull(Type.Object({ ttl_s: Type.Integer({ minimum: 1, maximum: MOST_CACHE_S }) })),
    limits: Type.Partial(Type.Object(Object.fromEntries(LIMIT_GROUPS.map((group) => [group, OwnLimits])))),
  }),
);
const ChangeProjectBody = Type.Object({
  name: Type.Optional(Type.String()),
  tier: Type.Optional(oneOf(TIERS)),
  settings: Type.Optional(Settings),
});

export const projectRoutes = (platform: Platform) => {
  const { db, clock, accounts } = platform;
  return signedInRoutes(platform)
    .get(
      "/projects",
      async (): Promise<ProjectsAnswer> => ({
        projects: (await listProjects(db)).map(toProjectRow),
        tiers: tierRows(),
        default_settings: SETTINGS_BY_DEFAULT,
      }),
    )
    .post("/projects", async ({ request, set }): Promise<ProjectRow> => {
      const body = await readJson(request, NewProjectBody);
      requireName(body.name);
      const project = await insertProject(db, body.name, body.tier, clock.now());
      if (project === undefined) throw nameIsTaken(body.name);
      set.status = 201;
      return toProjectRow(project);
    })
    .patch("/projects/:id", async ({ request, params }): Promise<ProjectRow> => {
      const { id } = await requireProject(db, params.id);
      const { name, tier, settings } = await readJson(request, ChangeProjectBody);
      if (name !== undefined) requireName(name);
      const shadow = settings?.shadow?.model;
      if (shadow !== undefined && platform.catalog.findChatModel(shadow) === undefined)
        throw invalidRequest(`There is no model "${shadow}".`, "settings.shadow.model");
      if (name !== undefined && !(await renameProject(db, id, name))) throw nameIsTaken(name);
      if (tier !== undefined) await changeTier(db, id, tier);
      if (settings !== undefined)
        await changeProjectSettings(db, id, (before) => changedSettings(before, settings as Partial<ProjectSettingsBody>));
      accounts.forget();
      return toProjectRow(await requireProject(db, params.id));
    })
    .delete("/projects/:id", async ({ params }) => {
      const { id } = await requireProject(db, params.id);
      await deleteProject(platform, id);
      return { id, deleted: true };
    });
};

const nameIsTaken = (name: string) => conflict(`There is a project "${name}" already.`, "name");
