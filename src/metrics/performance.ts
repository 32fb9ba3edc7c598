/** `GET /v1/metrics/performance`: how each model does at each task, and where another would be better or cheaper. */

import type { Static } from "@sinclair/typebox";
import type { Db } from "../database/database.ts";
import { toNanoUsd, toUsd, usdText } from "../lib/money.ts";
import type { CallScope } from "../logs/call-scope.ts";
import { groupBy, mean, ratio, rounded, total } from "../logs/sums/figures.ts";
import { QUALITY, type Sums, sumDays } from "../logs/sums/read-rollup.ts";
import { type Period, toWirePeriod } from "./period.ts";
import type { Performance } from "./wire.ts";

const MEASURES = ["calls", "cache_hits", "failures", "cost_nano_usd", "latency_ms", ...QUALITY] as const;
/** Fewer judged calls than this say nothing about a model. */
const LEAST_JUDGED = 5;
/** Quality scores closer than this count as equal. */
const SAME_QUALITY = 0.03;

export const performance = async (
  db: Db,
  scope: CallScope,
  period: Period,
  taskType: string | undefined,
): Promise<Static<typeof Performance>> => {
  const rows = await sumDays(db, scope, period.range, ["task_type", "model"], MEASURES);
  const tasks = groupBy(rows, "task_type")
    .filter(([task]) => taskType === undefined || task === taskType)
    .map(([task, among]) => [task, among.filter(wasAsked).map(figuresOf), total(among, "calls")] as const);
  return {
    period: toWirePeriod(period),
    by_task_type: Object.fromEntries(
      tasks.map(([task, models, calls]) => {
        const { optimal, reason } = chooseOptimal(models);
        return [
          task,
          {
            total_calls: calls,
            models: Object.fromEntries(models.map(({ model, judged: _, ...figures }) => [model, figures])),
            optimal_model: optimal?.model ?? null,
            optimal_reason: reason,
          },
        ];
      }),
    ),
    recommendations: tasks.flatMap(([task, models]) => recommend(task, models)),
  };
};

type ModelFigures = ReturnType<typeof figuresOf>;

type Row = Sums<(typeof MEASURES)[number], "model">;

const wasAsked = ({ model, calls, cache_hits }: Row): boolean => model !== "" && calls > cache_hits;

/** Answers given again are left out: they cost and take next to nothing, whichever model gave them first. */
const figuresOf = (row: Row) => {
  const calls = row.calls - row.cache_hits;
  return {
    model: row.model,
    calls,
    success_rate: ratio(calls - row.failures, calls),
    avg_cost_usd: ratio(toUsd(row.cost_nano_usd), calls) ?? 0,
    avg_latency_ms: ratio(row.latency_ms, calls),
    quality_score: mean([row], "quality"),
    /** Calls that have a quality score. */
    judged: row.quality_count,
  };
};

/** Among models with enough judged calls, the cheapest of those about as good as the best. */
const chooseOptimal = (models: ModelFigures[]): { optimal?: ModelFigures; reason: string } => {
  const known = models.filter(({ judged }) => judged >= LEAST_JUDGED);
  const best = known.toSorted((a, b) => b.quality_score! - a.quality_score!)[0];
  if (best === undefined) return { reason: `No model has answered ${LEAST_JUDGED} judged calls of this task in the period.` };
  const optimal = known
    .filter(({ quality_score }) => best.quality_score! - quality_score! <= SAME_QUALITY)
    .toSorted((a, b) => a.avg_cost_usd - b.avg_cost_usd || b.quality_score! - a.quality_score!)[0]!;
  const evidence = `quality ${rounded(optimal.quality_score!, 2)} over ${optimal.judged} calls at ${usdText(toNanoUsd(optimal.avg_cost_usd))} USD a call`;
  if (known.length === 1) return { optimal, reason: `The only model with enough calls: ${evidence}.` };
  if (optimal === best) return { optimal, reason: `Best quality of ${known.length} models: ${evidence}.` };
  return {
    optimal,
    reason: `Within ${SAME_QUALITY} of the best (${best.model}, ${rounded(best.quality_score!, 2)} over ${best.judged} calls at ${usdText(toNanoUsd(best.avg_cost_usd))} USD) and cheaper: ${evidence}.`,
  };
};

/** Savings: how much less the current model's calls of the period would have cost; negative if the better model is dearer. */
const recommend = (task: string, models: ModelFigures[]) => {
  const current = models.toSorted((a, b) => b.calls - a.calls)[0];
  const { optimal, reason } = chooseOptimal(models);
  if (current === undefined || optimal === undefined || optimal.model === current.model || current.quality_score === null)
    return [];
  return [
    {
      task_type: task,
      current_model: current.model,
      recommended_model: optimal.model,
      potential_savings_usd: Math.round((current.avg_cost_usd - optimal.avg_cost_usd) * current.calls * 1e9) / 1e9,
      quality_improvement: Math.round((optimal.quality_score! - current.quality_score) * 1e6) / 1e6,
      evidence: reason,
    },
  ];
};
