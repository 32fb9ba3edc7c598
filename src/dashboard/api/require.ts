/** What several routes of the dashboard ask before they do anything. */

import { isName, NAME_RULE, type Project } from "../../accounts/project.ts";
import { findProject } from "../../accounts/store.ts";
import { invalidRequest, notFound } from "../../api-error.ts";
import type { Db } from "../../database/database.ts";

export const requireProject = async (db: Db, id: string): Promise<Project> => {
  const project = await findProject(db, id);
  if (project === undefined) throw notFound("The project");
  return project;
};

/** Of a project or a key. */
export const requireName = (text: string): void => {
  if (!isName(text)) throw invalidRequest(`The name must be ${NAME_RULE}.`, "name");
};
