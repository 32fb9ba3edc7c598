/** `signalbox projects create | list | rename | set-tier | set-budget | delete`. */

import { BUDGET_PERIODS, type Budget, USER_BUDGET_PERIODS } from "../../accounts/budget-period.ts";
import type { Project } from "../../accounts/project.ts";
import { changeProject, findProjectByName, insertProject, listProjects } from "../../accounts/store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import type { Db } from "../../database/database.ts";
import { deleteProject } from "../../delete-project.ts";
import { byCommand } from "../../history/author.ts";
import { toIso } from "../../lib/clock.ts";
import { toUsd, usdText } from "../../lib/money.ts";
import { DEFAULT_TIER, TIERS } from "../../limits/tiers.ts";
import { type Given, requireName, requireWord, tableOf, tell, UsageError } from "../command.ts";
import { hasDatabase, requireDatabase, withDatabase, withDatabaseOrNew } from "../with-database.ts";
import { withPlatform } from "../with-platform.ts";
import { changedBudget } from "./read-budget.ts";

export const createProject = async (given: Given, environment: Environment): Promise<number> => {
  const { values } = given;
  const name = requireName("NAME", given.positionals[0]!);
  const tier = values.tier === undefined ? DEFAULT_TIER : requireWord("--tier", values.tier, TIERS);
  return withDatabaseOrNew(readConfig(environment, values), async (db, now) => {
    const project = await insertProject(db, byCommand(now), name, tier);
    if (project === undefined) throw new Error(`There is a project "${name}" already; projects set-tier changes its tier.`);
    return show(given, project);
  });
};

export const listAllProjects = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  const projects = hasDatabase(config) ? await withDatabase(config, listProjects) : [];
  const rows = projects.map(({ id, name, tier, createdAtMs, settings }) => {
    const budgets = [settings.budget, settings.userBudget].map((budget) => (budget ? inWords(budget) : "none"));
    return [id, name, tier, toIso(createdAtMs), ...budgets];
  });
  return tell(given, projects.map(toPrinted), tableOf(["ID", "NAME", "TIER", "CREATED", "BUDGET", "USER BUDGET"], rows));
};

export const rename = async (given: Given, environment: Environment): Promise<number> => {
  const newName = requireName("NEW_NAME", given.positionals[1]!);
  return withDatabase(readConfig(environment, given.values), async (db, now) => {
    const { id } = await requireProjectNamed(db, given.positionals[0]!);
    return show(given, (await changeProject(db, byCommand(now), id, () => ({ name: newName })))!);
  });
};

export const setTier = async (given: Given, environment: Environment): Promise<number> => {
  const tier = requireWord("TIER", given.positionals[1]!, TIERS);
  return withDatabase(readConfig(environment, given.values), async (db, now) => {
    const { id } = await requireProjectNamed(db, given.positionals[0]!);
    return show(given, (await changeProject(db, byCommand(now), id, () => ({ tier })))!);
  });
};

export const setBudget = async (given: Given, environment: Environment): Promise<number> => {
  if (!BUDGET_OPTIONS.some((name) => given.values[name] !== undefined))
    throw new UsageError("Name what shall change, such as --budget 100 or --user-budget none.");
  return withDatabase(readConfig(environment, given.values), async (db, now) => {
    const { id } = await requireProjectNamed(db, given.positionals[0]!);
    const project = (await changeProject(db, byCommand(now), id, ({ settings: before }) => {
      const { budget: budgetBefore, userBudget: ofUsersBefore, ...settings } = before;
      const budget = changedBudget(given, "budget", budgetBefore, BUDGET_PERIODS);
      const userBudget = changedBudget(given, "user-budget", ofUsersBefore, USER_BUDGET_PERIODS);
      return { settings: { ...settings, ...(budget && { budget }), ...(userBudget && { userBudget }) } };
    }))!;
    const { budget, userBudget } = project.settings;
    return tell(
      given,
      toPrinted(project),
      `Project ${project.name} may spend ${inWords(budget)}, each of its users ${inWords(userBudget)}.`,
    );
  });
};
const BUDGET_OPTIONS = ["budget", "budget-period", "user-budget", "user-budget-period"];

const inWords = (budget: Budget | undefined): string => {
  if (budget === undefined) return "without bound";
  return `${usdText(budget.nanoUsd)} USD ${budget.period === "total" ? "in total" : `a ${budget.period}`}`;
};

export const deleteOneProject = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  requireDatabase(config.databasePath);
  return withPlatform(config, async (platform) => {
    const { id, name } = await requireProjectNamed(platform.db, given.positionals[0]!);
    if (!given.values.force)
      throw new Error(
        `This deletes the keys, calls, documents, sessions, policies and schemas of "${name}" for good. Add --force to do it.`,
      );
    await deleteProject(platform, byCommand(platform.clock.now()), id);
    return tell(
      given,
      { id, deleted: true },
      `Project ${name} (${id}) is deleted, and its keys with it. Its calls and documents are removed in the background by the server, at its next start if none is running.`,
    );
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
  budget: toWireBudget(project.settings.budget),
  user_budget: toWireBudget(project.settings.userBudget),
});

const toWireBudget = (budget: Budget | undefined) => (budget ? { usd: toUsd(budget.nanoUsd), period: budget.period } : null);

const show = (given: Given, project: Project): number =>
  tell(given, toPrinted(project), `Project ${project.name} (${project.id}) is on tier ${project.tier}.`);
