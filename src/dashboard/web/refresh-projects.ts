/** Reads the projects again: after a change, and because another tab or a command may have changed them. */

import { batch } from "@preact/signals";
import type { ProjectsAnswer } from "../wire.ts";
import { call, get } from "./api.ts";
import { followName } from "./router.ts";
import { type Project, project, projects } from "./state.ts";

export const loadProjects = async (): Promise<Project[]> => {
  const { projects, tiers, default_settings } = await get<ProjectsAnswer>("/projects");
  return projects.map((row) => ({
    ...row,
    settings: { ...default_settings, ...row.settings } as Project["settings"],
    tier_limits: tiers[row.tier],
  }));
};

/**
 * If the current project was renamed, here or elsewhere, the URL changes in the same update; or it goes on in the project `next`, because the
 * current one was deleted.
 */
export const refreshProjects = async (next?: string): Promise<void> => {
  const known = await loadProjects();
  batch(() => {
    const renamed = known.find(({ id, name }) => id === project.value?.id && name !== project.value.name);
    projects.value = known;
    const name = next ?? renamed?.name;
    if (name !== undefined) followName(name);
  });
};

export const changeProject = async (id: string, change: object): Promise<void> => {
  await call("PATCH", `/projects/${id}`, change);
  await refreshProjects();
};
