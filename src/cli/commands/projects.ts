/** `signalbox projects create | list | rename | set-tier`. */

import type { Project } from "../../accounts/project.ts";
import { changeTier, findProjectByName, insertProject, listProjects, renameProject } from "../../accounts/store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import type { Db } from "../../database/database.ts";
import { systemClock } from "../../lib/clock.ts";
import { DEFAULT_TIER } from "../../limits/tiers.ts";
import { printJson, printTable, readWords, requireName, requireTierName, UsageError } from "../command.ts";
import { withDatabase } from "../with-database.ts";

export const createProject = async (words: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = readWords(words, { tier: { type: "string" } }, 1);
  const [name] = positionals;
  if (!name?.trim()) throw new UsageError("Name the project: projects create NAME.");
  requireName("NAME", name);
  const tier = values.tier === undefined ? DEFAULT_TIER : requireTierName("--tier", values.tier);
  const config = readConfig(environment, values);
  return withDatabase(config, async (db) => {
    const project = await insertProject(db, name, tier, systemClock(config.clockOffsetMs).now());
    if (project === undefined) throw new Error(`There is a project "${name}" already; projects set-tier changes its tier.`);
    return show(project, values.json);
  });
};

export const listAllProjects = async (words: string[], environment: Environment): Promise<number> => {
  const { values } = readWords(words, {});
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

export const rename = async (words: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = readWords(words, {}, 2);
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

export const setTier = async (words: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = readWords(words, {}, 2);
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

const requireProjectNamed = async (db: Db, name: string): Promise<Project> => {
  const project = await findProjectByName(db, name);
  if (project === undefined) throw new Error(`There is no project "${name}" (see projects list).`);
  return project;
};

const toPrinted = (project: Project) => ({
  id: project.id,
  name: project.name,
  tier: project.tier,
  created_at: new Date(project.createdAtMs).toISOString(),
});

const show = (project: Project, json: boolean | undefined): number => {
  if (json) printJson(toPrinted(project));
  else process.stdout.write(`Project ${project.name} (${project.id}) is on tier ${project.tier}.\n`);
  return 0;
};
