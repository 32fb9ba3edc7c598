/** `signalbox projects create | list | rename | set-tier | delete`. */

import type { Project } from "../../accounts/project.ts";
import { changeTier, findProjectByName, insertProject, listProjects, renameProject } from "../../accounts/store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import type { Db } from "../../database/database.ts";
import { deleteProject } from "../../delete-project.ts";
import { toIso } from "../../lib/clock.ts";
import { DEFAULT_TIER } from "../../limits/tiers.ts";
import { type Given, printJson, printTable, requireName, requireTierName, UsageError } from "../command.ts";
import { withDatabase } from "../with-database.ts";
import { withPlatform } from "../with-platform.ts";

export const createProject = async ({ values, positionals }: Given, environment: Environment): Promise<number> => {
  const [name] = positionals;
  if (!name?.trim()) throw new UsageError("Name the project: projects create NAME.");
  requireName("NAME", name);
  const tier = values.tier === undefined ? DEFAULT_TIER : requireTierName("--tier", values.tier);
  return withDatabase(readConfig(environment, values), async (db, now) => {
    const project = await insertProject(db, name, tier, now);
    if (project === undefined) throw new Error(`There is a project "${name}" already; projects set-tier changes its tier.`);
    return show(project, values.json);
  });
};

export const listAllProjects = async ({ values }: Given, environment: Environment): Promise<number> => {
  return withDatabase(readConfig(environment, values), async (db) => {
    const projects = (await listProjects(db)).map(toPrinted);
    if (values.json) printJson(projects);
    else
      printTable(
        ["ID", "NAME", "TIER", "CREATED"],
        projects.map(({ id, name, tier, created_at }) => [id, name, tier, created_at]),
      );
    return 0;
  });
};

export const rename = async ({ values, positionals }: Given, environment: Environment): Promise<number> => {
  const [name, newName] = positionals;
  if (name === undefined || newName === undefined)
    throw new UsageError("Name the project and give its new name: projects rename NAME NEW_NAME.");
  requireName("NEW_NAME", newName);
  return withDatabase(readConfig(environment, values), async (db) => {
    const project = await requireProjectNamed(db, name);
    if (!(await renameProject(db, project.id, newName))) throw new Error(`There is a project "${newName}" already.`);
    return show({ ...project, name: newName }, values.json);
  });
};

export const setTier = async ({ values, positionals }: Given, environment: Environment): Promise<number> => {
  const [name, tierName] = positionals;
  if (name === undefined || tierName === undefined)
    throw new UsageError("Name the project and its tier: projects set-tier NAME TIER.");
  const tier = requireTierName("TIER", tierName);
  return withDatabase(readConfig(environment, values), async (db) => {
    const project = await requireProjectNamed(db, name);
    await changeTier(db, project.id, tier);
    return show({ ...project, tier }, values.json);
  });
};

export const deleteOneProject = async ({ values, positionals }: Given, environment: Environment): Promise<number> => {
  const [name] = positionals;
  if (name === undefined) throw new UsageError("Name the project: projects delete NAME --force.");
  return withPlatform(readConfig(environment, values), async (platform) => {
    const { id } = await requireProjectNamed(platform.db, name);
    if (!values.force)
      throw new Error(
        `This deletes the keys, calls, documents, sessions, policies and schemas of "${name}" for good. Add --force to do it.`,
      );
    await deleteProject(platform, id);
    if (values.json) printJson({ id, deleted: true });
    else
      process.stdout.write(
        `Project ${name} (${id}) is deleted, and its keys with it. Its calls and documents are removed in the background by the server, at its next start if none is running.\n`,
      );
    return 0;
  });
};

const requireProjectNamed = async (db: Db, name: string): Promise<Project> => {
  const project = await findProjectByName(db, name);
  if (project === undefined) throw new Error(`There is no project "${name}" (see projects list).`);
  return project;
};

const toPrinted = (project: Project) => ({
  id: project.id,
  name: project.name,
  tier: project.tier,
  created_at: toIso(project.createdAtMs),
});

const show = (project: Project, json: boolean | undefined): number => {
  if (json) printJson(toPrinted(project));
  else process.stdout.write(`Project ${project.name} (${project.id}) is on tier ${project.tier}.\n`);
  return 0;
};
