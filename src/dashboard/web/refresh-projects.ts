/** Reads the projects again: after a change, and because another tab or a command may have changed them. */

import { batch } from "@preact/signals";
import type { ProjectRow } from "../wire.ts";
import { call, get } from "./api.ts";
import { followName } from "./router.ts";
import { project, projects } from "./state.ts";

/** If the current project was renamed, here or elsewhere, the URL changes in the same update. */
export const refreshProjects = async (): Promise<void> => {
  const known = (await get<{ projects: ProjectRow[] }>("/projects")).projects;
  batch(() => {
    const renamed = known.find(({ id, name }) => id === project.value?.id && name !== project.value.name);
    projects.value = known;
    if (renamed) followName(renamed.name);
  });
};

export const changeProject = async (id: string, change: object): Promise<void> => {
  await call("PATCH", `/projects/${id}`, change);
  await refreshProjects();
};
