/** Projects are created, changed and deleted (decisions §3). */

import { Type } from "@sinclair/typebox";
import { changedSettings, SETTINGS_BY_DEFAULT, SettingsChange } from "../../accounts/project-settings.ts";
import { changeProject, insertProject, listProjects } from "../../accounts/store.ts";
import { conflict, invalidRequest, notFound } from "../../api-error.ts";
import { deleteProject } from "../../delete-project.ts";
import { readJson } from "../../http/read-json.ts";
import { oneOf } from "../../lib/one-of.ts";
import { TIERS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { byOperator } from "../sessions/require-operator.ts";
import type { ProjectRow, ProjectsAnswer } from "../wire.ts";
import { tierRows, toProjectRow } from "./project-rows.ts";
import { requireName, requireProject } from "./require.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const NewProjectBody = Type.Object({ name: Type.String(), tier: oneOf(TIERS) });
const ChangeProjectBody = Type.Object({
  name: Type.Optional(Type.String()),
  tier: Type.Optional(oneOf(TIERS)),
  settings: Type.Optional(SettingsChange),
});

export const projectRoutes = (platform: Platform) => {
  const { db, accounts } = platform;
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
      const project = await insertProject(db, byOperator(platform, request), body.name, body.tier);
      if (project === undefined) throw conflict(`There is a project "${body.name}" already.`, "name");
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
      const changed = await changeProject(db, byOperator(platform, request), id, (before) => ({
        name: name ?? before.name,
        tier: tier ?? before.tier,
        settings: changedSettings(before.settings, settings ?? {}),
      }));
      accounts.forget();
      if (changed === undefined) throw notFound("The project");
      return toProjectRow(changed);
    })
    .delete("/projects/:id", async ({ request, params }) => {
      const { id } = await requireProject(db, params.id);
      await deleteProject(platform, byOperator(platform, request), id);
      return { id, deleted: true };
    });
};
