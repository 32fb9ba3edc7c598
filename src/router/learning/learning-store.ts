/** Learned state in the database: read whole when a project is first routed, written row by row within group commits. */

import type { Mode } from "../../accounts/api-key.ts";
import type { TaskType } from "../../catalog/task-type.ts";
import type { Db, Sql } from "../../database/database.ts";
import type { Evidence } from "./learn.ts";
import { lengthOf, packCentre, unpackCentre } from "./places.ts";
import { bandsOf, newLearning, type ProjectLearning } from "./project-learning.ts";

export type LearningOwner = { projectId: string; mode: Mode };

type OutcomeRow = {
  task: TaskType;
  model: string;
  band: number;
  trials: number;
  good: number;
  expected: number;
  updated_at: number;
};
type PlaceRow = { centre: Uint8Array; calls: number; outcomes: string };

/** Reads at most some hundreds of rows: one for each task, model and band of difficulty that occurred. */
export const loadLearning = (db: Db, { projectId, mode }: LearningOwner): ProjectLearning => {
  const learning = newLearning();
  const outcomes = db.all<OutcomeRow>(
    "SELECT task, model, band, trials, good, expected, updated_at FROM learned_outcomes WHERE project_id = ? AND mode = ?",
    projectId,
    mode,
  );
  for (const { task, model, band, trials, good, expected, updated_at: atMs } of outcomes) {
    bandsOf(learning, task, model, atMs)[band] = { trials, good, expected, atMs };
  }
  const paces = db.all<{ model: string; factor: number; calls: number }>(
    "SELECT model, factor, calls FROM learned_paces WHERE project_id = ? AND mode = ?",
    projectId,
    mode,
  );
  for (const { model, factor, calls } of paces) learning.paces.set(model, { factor, calls });
  const places = db.all<PlaceRow>(
    "SELECT centre, calls, outcomes FROM learned_neighbourhoods WHERE project_id = ? AND mode = ? ORDER BY place",
    projectId,
    mode,
  );
  for (const { centre, calls, outcomes: text } of places) {
    const stored = JSON.parse(text) as Record<string, Evidence>;
    const unpacked = unpackCentre(centre);
    learning.places.push({ centre: unpacked, norm: lengthOf(unpacked), calls, outcomes: new Map(Object.entries(stored)) });
  }
  return learning;
};

/** Writes what has changed since the last time; inside a group commit. */
export const saveLearning = (sql: Sql, { projectId, mode }: LearningOwner, learning: ProjectLearning): void => {
  const { dirty, outcomes, paces, places } = learning;
  for (const { task, model, band } of dirty.outcomes.values()) {
    const evidence = outcomes.get(task)!.get(model)![band]!;
    sql.run(
      `INSERT OR REPLACE INTO learned_outcomes (project_id, mode, task, model, band, trials, good, expected, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      projectId,
      mode,
      task,
      model,
      band,
      evidence.trials,
      evidence.good,
      evidence.expected,
      Math.round(evidence.atMs),
    );
  }
  for (const model of dirty.paces) {
    const { factor, calls } = paces.get(model)!;
    sql.run(
      "INSERT OR REPLACE INTO learned_paces (project_id, mode, model, factor, calls) VALUES (?, ?, ?, ?, ?)",
      projectId,
      mode,
      model,
      factor,
      calls,
    );
  }
  for (const place of dirty.places) {
    const { centre, calls, outcomes: there } = places[place]!;
    sql.run(
      "INSERT OR REPLACE INTO learned_neighbourhoods (project_id, mode, place, centre, calls, outcomes) VALUES (?, ?, ?, ?, ?, ?)",
      projectId,
      mode,
      place,
      packCentre(centre),
      calls,
      JSON.stringify(Object.fromEntries(there)),
    );
  }
  sql.afterCommit(() => {
    dirty.outcomes.clear();
    dirty.paces.clear();
    dirty.places.clear();
  });
};

/** Returns the number of deleted rows. */
export const deleteLearning = (sql: Sql, { projectId, mode }: LearningOwner): number => {
  const where = "WHERE project_id = ? AND mode = ?";
  return (
    sql.run(`DELETE FROM learned_outcomes ${where}`, projectId, mode).changes +
    sql.run(`DELETE FROM learned_paces ${where}`, projectId, mode).changes +
    sql.run(`DELETE FROM learned_neighbourhoods ${where}`, projectId, mode).changes
  );
};

/** Deletes the places of both modes: each is an average of prompts, and may be a single one. */
export const deletePlaces = (sql: Sql, projectId: string): void =>
  void sql.run("DELETE FROM learned_neighbourhoods WHERE project_id = ?", projectId);
