/** `/v1/learning`: shows what a project's calls have taught the router, and deletes it. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../accounts/authenticate.ts";
import { authorOf } from "../history/author.ts";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { toFourDecimals } from "../lib/round.ts";
import type { Platform } from "../platform.ts";
import { type LearnedView, listLearned } from "../router/learning/list-learned.ts";

const guard = { scope: "metrics", group: "metrics" } as const;

const Share = Type.Number({ minimum: 0, maximum: 1 });
const LearningAnswer = Type.Object({
  mode: Type.String(),
  frozen: Type.Boolean(),
  exploration: Share,
  strengths: Type.Array(
    Type.Object({
      model: Type.String(),
      task_type: Type.String(),
      difficulty: Type.String(),
      outcomes: Type.Number(),
      good: Share,
      predicted: Share,
      catalog_strength: Share,
      strength: Share,
    }),
  ),
  paces: Type.Array(
    Type.Object({
      model: Type.String(),
      calls: Type.Integer(),
      first_token_ms: Type.Number(),
      tokens_per_second: Type.Number(),
      factor: Type.Number(),
    }),
  ),
  neighbourhoods: Type.Array(
    Type.Object({
      calls: Type.Integer(),
      models: Type.Array(Type.Object({ model: Type.String(), outcomes: Type.Number(), good: Share, predicted: Share })),
    }),
  ),
});

export const learningRoutes = (platform: Platform) => {
  const reset = (caller: Caller): Promise<number> =>
    platform.learning.reset(authorOf(caller, platform.clock.now()), caller.project.id, caller.mode);
  return new Elysia()
    .use(guarded(platform))
    .get("/v1/learning", ({ caller }) => toWireLearned(listLearned(platform, caller.project, caller.mode)), {
      guard,
      detail: describe({
        summary: "What the project's calls have taught the router",
        description:
          "Strengths by model, task and difficulty beside the catalog's, measured paces, and clusters of similar prompts. Live and test calls are learned from separately; the key's mode decides which is shown.",
        tags: ["routing"],
        response: LearningAnswer,
      }),
    })
    .delete("/v1/learning", async ({ caller }) => ({ deleted: await reset(caller) }), {
      // Gap: reading figures does not entitle a key to change the router's choices; that needs the scope `policies`.
      guard: { ...guard, scope: "policies" },
      detail: describe({
        summary: "Forget what the router has learned in the key's mode",
        tags: ["routing"],
        response: Type.Object({ deleted: Type.Integer() }),
      }),
    });
};

export const toWireLearned = ({
  mode,
  frozen,
  exploration,
  strengths,
  paces,
  places,
}: LearnedView): Static<typeof LearningAnswer> => ({
  mode,
  frozen,
  exploration,
  strengths: strengths.map((each) => ({
    model: each.model,
    task_type: each.task,
    difficulty: each.difficulty,
    outcomes: toFourDecimals(each.outcomes),
    good: toFourDecimals(each.good),
    predicted: toFourDecimals(each.predicted),
    catalog_strength: toFourDecimals(each.catalogStrength),
    strength: toFourDecimals(each.strength),
  })),
  paces: paces.map(({ model, calls, firstTokenMs, tokensPerSecond, factor }) => ({
    model,
    calls,
    first_token_ms: toFourDecimals(firstTokenMs),
    tokens_per_second: toFourDecimals(tokensPerSecond),
    factor: toFourDecimals(factor),
  })),
  neighbourhoods: places.map(({ calls, models }) => ({
    calls,
    models: models.map(({ model, outcomes, good, predicted }) => ({
      model,
      outcomes: toFourDecimals(outcomes),
      good: toFourDecimals(good),
      predicted: toFourDecimals(predicted),
    })),
  })),
});
