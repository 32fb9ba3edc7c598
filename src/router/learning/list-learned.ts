/** The learned figures for people to read, each with the catalog's for comparison. */

import type { Mode } from "../../accounts/api-key.ts";
import type { Project } from "../../accounts/project.ts";
import type { ChatModel } from "../../catalog/model.ts";
import type { TaskType } from "../../catalog/task-type.ts";
import type { Platform } from "../../platform.ts";
import { BANDS, type Band } from "../difficulty.ts";
import { explorationOf } from "../explore.ts";
import { logOdds, shareOf, textTaskOf } from "../predict-quality.ts";
import { type Evidence, freshness } from "./learn.ts";
import { type Bands, EVERY_MODEL, shiftsOf } from "./project-learning.ts";

type Shares = {
  /** Outcomes that still count; they fade with time. */
  outcomes: number;
  /** The share that was good, and the share that the catalog had predicted. */
  good: number;
  predicted: number;
};

type LearnedStrength = Shares & {
  model: string;
  task: TaskType;
  difficulty: Band;
  /** Strength at the task, according to the catalog and with what was learned at that difficulty. */
  catalogStrength: number;
  strength: number;
};

type LearnedPace = { model: string; calls: number; firstTokenMs: number; tokensPerSecond: number; factor: number };

type LearnedPlace = { calls: number; models: (Shares & { model: string })[] };

export type LearnedView = {
  mode: Mode;
  frozen: boolean;
  /** Share of the calls that may try another model. */
  exploration: number;
  strengths: LearnedStrength[];
  paces: LearnedPace[];
  places: LearnedPlace[];
};

/** Most outcomes first. Models that are no longer in the catalog are left out. */
export const listLearned = (platform: Platform, project: Project, mode: Mode): LearnedView => {
  const { outcomes, paces, places } = platform.learning.of(project.id, mode);
  const now = platform.clock.now();
  const strengths = [...outcomes].flatMap(([task, models]) =>
    [...models].flatMap(([id, bands]) => {
      const model = platform.catalog.findChatModel(id);
      return model === undefined ? [] : strengthsOf(model, task, bands, models.get(EVERY_MODEL), now);
    }),
  );
  return {
    mode,
    frozen: project.settings.learningFrozen === true,
    exploration: explorationOf(project, mode),
    strengths: strengths.sort((a, b) => b.outcomes - a.outcomes),
    paces: [...paces].flatMap(([id, { factor, calls }]) => {
      const model = platform.catalog.findChatModel(id);
      if (model === undefined) return [];
      const { firstTokenMs, tokensPerSecond } = model;
      return { model: id, calls, firstTokenMs: firstTokenMs * factor, tokensPerSecond: tokensPerSecond / factor, factor };
    }),
    places: places.map(({ calls, outcomes: there }) => ({
      calls,
      models: [...there.entries()]
        .filter(([model]) => model !== EVERY_MODEL)
        .map(([model, evidence]) => ({ model, ...sharesOf(evidence, now) })),
    })),
  };
};

const sharesOf = ({ trials, good, expected, atMs }: Evidence, now: number): Shares => ({
  outcomes: trials * freshness(atMs, now),
  good: good / Math.max(trials, 1e-9),
  predicted: expected / Math.max(trials, 1e-9),
});

const strengthsOf = (model: ChatModel, task: TaskType, bands: Bands, all: Bands | undefined, now: number): LearnedStrength[] => {
  const everyModel = (band: 0 | 1 | 2) => shiftsOf(all, band, { all: 0, here: 0 }, now);
  const catalogStrength = model.strength[textTaskOf(task)];
  return bands.flatMap((evidence, index) => {
    const band = index as 0 | 1 | 2;
    const shares = sharesOf(evidence, now);
    if (shares.outcomes < 0.5) return [];
    return {
      model: model.id,
      task,
      difficulty: BANDS[band]!,
      ...shares,
      catalogStrength,
      strength: shareOf(logOdds(catalogStrength) + shiftsOf(bands, band, everyModel(band), now).here),
    };
  });
};
