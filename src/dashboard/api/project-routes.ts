/** Projects are created, changed and deleted (decisions §3). */

import { Type } from "@sinclair/typebox";
import { changeProjectSettings, changeTier, insertProject, listProjects, renameProject } from "../../accounts/store.ts";
import { conflict, invalidRequest } from "../../api-error.ts";
import { deleteProject } from "../../delete-project.ts";
import { readJson } from "../../http/read-json.ts";
import { oneOf } from "../../lib/one-of.ts";
import { TIERS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import type { ProjectRow, ProjectsAnswer } from "../wire.ts";
import { tierRows, toProjectRow } from "./project-rows.ts";
import { changedSettings, SETTINGS_BY_DEFAULT, SettingsChange } from "./project-settings.ts";
import { requireName, requireProject } from "./require.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const NewProjectBody = Type.Object({ name: Type.String(), tier: oneOf(TIERS) });
const ChangeProjectBody = Type.Object({
  name: Type.Optional(Type.String()),
  tier: Type.Optional(oneOf(TIERS)),
  settings: Type.Optional(SettingsChange),
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
      if (settings !== undefined) await changeProjectSettings(db, id, (before) => changedSettings(before, settings));
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
