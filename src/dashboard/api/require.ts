/** Checks that several of the dashboard's routes share. */

import { isName, NAME_RULE, type Project } from "../../accounts/project.ts";
import { findProject } from "../../accounts/store.ts";
import { invalidRequest, notFound } from "../../api-error.ts";
import type { Db } from "../../database/database.ts";

export const requireProject = async (db: Db, id: string): Promise<Project> => {
  const project = await findProject(db, id);
  if (project === undefined) throw notFound("The project");
  return project;
};

/** Throws 400 unless it is a valid name of a project or key. */
export const requireName = (text: string): void => {
  if (!isName(text)) throw invalidRequest(`The name must be ${NAME_RULE}.`, "name");
};
