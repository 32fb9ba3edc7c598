/** Whether choices look right to a person, over the whole catalog, at every position of the knob. */

import { expect, test } from "bun:test";
import { createCatalog } from "../../src/catalog/catalog.ts";
import type { TextTask } from "../../src/catalog/task-type.ts";
import { TEXT_TASKS } from "../../src/config/vocabulary.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { choose, leadBy } from "../../src/router/choose.ts";
import { classify } from "../../src/router/classify.ts";
import { countPrompt } from "../../src/router/count-prompt.ts";
import { explorationNow, explore } from "../../src/router/explore.ts";
import { type ChoiceInput, scoreCandidates } from "../../src/router/score-candidates.ts";
import { type Level, ROUTING_PROMPTS } from "../fixtures/routing-prompts.ts";

const catalog = createCatalog({ overrides: [] });
const encoder = await loadEncoder();
const NOW = Date.parse("2026-11-20");
const KNOBS = [0, 0.25, 0.5, 0.75, 1];
const COMPLEXITY: Record<Level, number> = { easy: 0.15, middling: 0.45, hard: 0.8 };

const input = (changes: Partial<ChoiceInput> = {}): ChoiceInput => ({
  request: { messages: [{ role: "user", content: "x" }] },
  promptTokens: 200,
  classification: { task: "reasoning", complexity: 0.4, confidence: 1 },
  qualityCost: 0.5,
  preferFaster: false,
  isConfigured: () => true,
  healthOf: () => "healthy",
  now: NOW,
  ...changes,
});
const best = (changes: Partial<ChoiceInput> = {}) => {
  const choice = input(changes);
  return choose(scoreCandidates(catalog, choice), choice)!.ranked[0]!;
};
const asLabelled = (task: TextTask, level: Level, qualityCost: number) =>
  best({ classification: { task, complexity: COMPLEXITY[level], confidence: 1 }, qualityCost });
const dearest = Math.max(...catalog.chatModels().map((model) => model.prices?.outputNanoUsd ?? 0));

test("turning the knob towards cheap never raises the expected cost", () => {
  for (const task of TEXT_TASKS) {
    for (let complexity = 0.02; complexity < 1; complexity += 0.07) {
      const costs = Array.from(
        { length: 21 },
        (_, i) => best({ classification: { task, complexity, confidence: 1 }, qualityCost: i / 20 }).expectedCostNanoUsd,
      );
      for (const [i, cost] of costs.entries())
        if (i > 0) expect([task, complexity, i, cost <= costs[i - 1]!]).toEqual([task, complexity, i, true]);
    }
  }
});

test("another id that the operator gave a model does not take the model's place", () => {
  const choice = input();
  const [model] = scoreCandidates(catalog, choice).map((candidate) => candidate.model);
  const { provider, upstreamModel } = model!;
  const renaming = createCatalog({ overrides: ["0", "zzz"].map((id) => ({ id, provider, upstream_model: upstreamModel })) });
  const first = scoreCandidates(renaming, choice).slice(0, 3);
  expect(first.map((candidate) => candidate.model.id)).toEqual([model!.id, "0", "zzz"]);
});

test("the reason says which model only its health kept from being chosen", () => {
  const reasonWith = (state: "down" | "degraded", ill: (id: string) => boolean): string => {
    const choice = input({ healthOf: ({ id }) => (ill(id) ? state : "healthy") });
    return choose(scoreCandidates(catalog, choice), choice)!.reason;
  };
  const [first, second] = scoreCandidates(catalog, input()).map(({ model }) => model.id) as [string, string];
  for (const state of ["down", "degraded"] as const) {
    const reason = reasonWith(state, (id) => id === first);
    expect(reason).toStartWith(`${second} is the best of`);
    expect(reason).toContain(`${first} would have been chosen but is ${state}`);
    expect(reasonWith(state, (id) => id === second)).not.toContain(state);
    expect(reasonWith(state, () => true)).not.toContain(state);
  }
});

test("where the caller sets the sampling, a model that heeds it leads among those about as good", () => {
  const request = { messages: [{ role: "user" as const, content: "x" }], temperature: 0.2 };
  const heeds = (changes: Partial<ChoiceInput>) => best(changes).model.quirks?.noSampling !== true;
  const easy = { task: "extraction" as const, complexity: 0.1, confidence: 1 };
  expect([heeds({ classification: easy }), heeds({ classification: easy, request })]).toEqual([false, true]);
  expect(heeds({ classification: easy, request: { ...request, temperature: 1 } })).toBe(false);
  // Beside tools it does not think, and then it samples as it is told to.
  const withTools = { ...request, tools: [{ name: "f" }] };
  expect(best({ classification: easy, request: withTools }).model.quirks).toMatchObject({
    noSampling: true,
    samplesUnthinking: true,
  });
  const isConfigured: ChoiceInput["isConfigured"] = ({ provider }) => provider === "anthropic";
  expect(heeds({ classification: { ...easy, complexity: 0.9 }, request, isConfigured })).toBe(false);
});

test("a harder prompt never gets a weaker model", () => {
  for (const task of TEXT_TASKS) {
    for (const qualityCost of [0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75]) {
      let before = 0;
      for (let complexity = 0.02; complexity < 1; complexity += 0.02) {
        const { model } = best({ classification: { task, complexity, confidence: 1 }, qualityCost });
        expect([task, qualityCost, complexity, model.id, model.strength[task] >= before - 0.02]).toEqual([
          task,
          qualityCost,
          complexity,
          model.id,
          true,
        ]);
        before = model.strength[task];
      }
    }
  }
});

test("balanced, easy work goes to small models and no work but the hardest to the dearest", () => {
  for (const [task, level] of ROUTING_PROMPTS) {
    const { model } = asLabelled(task, level, 0.5);
    if (level === "easy") expect([task, model.id, model.prices!.outputNanoUsd <= 1_000]).toEqual([task, model.id, true]);
    if (level === "middling") expect([task, model.id, model.prices!.outputNanoUsd < dearest / 2]).toEqual([task, model.id, true]);
  }
});

test("balanced, hard reasoning, code and writing go to strong models", () => {
  for (const task of ["reasoning", "code", "writing"] as const)
    expect(asLabelled(task, "hard", 0.5).model.strength[task]).toBeGreaterThan(0.9);
});

test("at 0 the choice is within a hair of the best there is, at 1 it is the cheapest that can do it", () => {
  for (const [task, level] of ROUTING_PROMPTS) {
    const classification = { task, complexity: COMPLEXITY[level], confidence: 1 };
    const all = scoreCandidates(catalog, input({ classification }));
    const highest = Math.max(...all.map(({ quality }) => quality));
    expect(asLabelled(task, level, 0).quality).toBeGreaterThan(highest - 0.012);
    const least = Math.min(...all.map(({ expectedCostNanoUsd }) => expectedCostNanoUsd));
    // Below a hundred-thousandth of a dollar prices are all the same.
    expect(asLabelled(task, level, 1).expectedCostNanoUsd).toBeLessThanOrEqual(least * 1.05 + 10_000);
  }
});

test("balanced, a day's mix costs a small part of what the best model would, and loses little", () => {
  const sum = (knob: number) =>
    ROUTING_PROMPTS.map(([task, level]) => asLabelled(task, level, knob)).reduce(
      (total, { expectedCostNanoUsd, quality }) => ({ cost: total.cost + expectedCostNanoUsd, quality: total.quality + quality }),
      { cost: 0, quality: 0 },
    );
  const finest = sum(0);
  const balanced = sum(0.5);
  expect(balanced.cost).toBeLessThan(finest.cost * 0.5);
  expect(balanced.quality).toBeGreaterThan(finest.quality * 0.9);
});

test("sixty requests as people write them: decided the same twice, the reason names what decided", () => {
  expect(ROUTING_PROMPTS.length).toBeGreaterThanOrEqual(60);
  const seen: Record<Level, number[]> = { easy: [], middling: [], hard: [] };
  for (const [, level, content] of ROUTING_PROMPTS) {
    const request = { messages: [{ role: "user" as const, content }] };
    const decide = (qualityCost: number) => {
      const classification = classify(encoder, { ...request, hasSchema: false });
      const choice = input({ request, promptTokens: countPrompt(request), classification, qualityCost });
      return { classification, decision: choose(scoreCandidates(catalog, choice), choice)! };
    };
    for (const knob of KNOBS) {
      const { decision, classification } = decide(knob);
      expect(decide(knob).decision.ranked.map(({ model, score }) => [model.id, score])).toEqual(
        decision.ranked.map(({ model, score }) => [model.id, score]),
      );
      expect(decision.reason).toContain(decision.ranked[0]!.model.id);
      expect(decision.reason).toContain(classification.task);
      expect(decision.reason).toContain(`quality_cost ${knob}`);
      if (knob === 0) seen[level].push(classification.complexity);
    }
  }
  const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length;
  expect(mean(seen.hard)).toBeGreaterThan(mean(seen.easy));
});

test("an unsure task counts half for its runner-up, and the reason says so", () => {
  const sure = best({ classification: { task: "code", complexity: 0.4, confidence: 0.9, runnerUp: "extraction" } });
  const unsure = { task: "code", complexity: 0.4, confidence: 0.3, runnerUp: "extraction" } as const;
  const choice = input({ classification: unsure });
  const decision = choose(scoreCandidates(catalog, choice), choice)!;
  const same = decision.ranked.find(({ model }) => model === sure.model)!;
  expect(same.quality).toBeGreaterThan(sure.quality);
  expect(decision.reason).toContain("the task is unsure, so code and extraction count alike");
});

test("fallbacks come from other providers first, also where the first choice's own are the next best", () => {
  let ownWereNext = 0;
  for (const task of TEXT_TASKS) {
    for (const qualityCost of KNOBS) {
      const choice = input({ classification: { task, complexity: 0.4, confidence: 1 }, qualityCost });
      const scored = scoreCandidates(catalog, choice);
      const providers = choose(scored, choice)!.ranked.map(({ model }) => model.provider);
      if (scored[1]!.model.provider === scored[0]!.model.provider) ownWereNext++;
      const own = providers.filter((provider) => provider === providers[0]).length;
      expect(providers.slice(1, providers.length - own + 1)).not.toContain(providers[0]);
    }
  }
  expect(ownWereNext).toBeGreaterThan(0);
});

test("each thing that speaks against a model costs it its own share of the score, and nothing else", () => {
  const models = catalog.chatModels();
  const scores = (changes: Partial<ChoiceInput> = {}) =>
    new Map(scoreCandidates(catalog, input(changes)).map(({ model, score }) => [model.id, score]));
  const plain = scores();
  const lost = (changes: Partial<ChoiceInput>) => {
    const after = scores(changes);
    return (id: string) => plain.get(id)! - after.get(id)!;
  };
  const degraded = lost({ healthOf: ({ id }) => (id === "gpt-4o" ? "degraded" : "healthy") });
  expect(degraded("gpt-4o")).toBeCloseTo(0.1, 9);
  expect(degraded("gpt-4o-mini")).toBe(0);

  const candidates = scoreCandidates(catalog, input());
  const times = candidates.map(({ expectedLatencyMs }) => expectedLatencyMs).toSorted((a, b) => a - b);
  const target = times[Math.floor(times.length / 2)]!;
  const late = lost({ latencyTargetMs: target });
  for (const { model, expectedLatencyMs } of candidates)
    expect([model.id, late(model.id)]).toEqual([model.id, expect.closeTo(expectedLatencyMs > target ? 0.25 : 0, 9)]);

  const schema = { type: "schema" as const, name: "answer", schema: {}, strict: true };
  const unenforced = lost({ request: { messages: [{ role: "user", content: "x" }], outputFormat: schema } });
  expect(new Set(models.map(({ abilities }) => abilities.includes("json_schema")))).toEqual(new Set([true, false]));
  for (const { model } of candidates) {
    const share = model.abilities.includes("json_schema") ? 0 : 0.05;
    expect([model.id, unenforced(model.id)]).toEqual([model.id, expect.closeTo(share, 9)]);
  }
});

test("what a prompt may cost covers its being kept for an hour", () => {
  const costWith = (longest: "5m" | "1h") => {
    const request = { messages: [{ role: "user" as const, content: "x" }], cachePrompt: { longest } };
    const all = scoreCandidates(catalog, input({ request, promptTokens: 20_000 }));
    return all.find(({ model }) => model.provider === "anthropic")!.estimatedCostNanoUsd;
  };
  expect(costWith("1h")).toBeGreaterThan(costWith("5m") * 1.3);
});

test("a model is asked only where its window has room for an answer that is worth having", () => {
  const { id, contextWindow } = catalog.findChatModel("gpt-4o")!;
  const isAsked = (promptTokens: number) =>
    scoreCandidates(catalog, input({ promptTokens })).some(({ model }) => model.id === id);
  expect([isAsked(contextWindow - 16), isAsked(contextWindow - 15)]).toEqual([true, false]);
});

test("a model whose context a prompt all but fills is asked only where no other has room for the answer", () => {
  const own = {
    provider: "openai",
    upstream_model: "own",
    context_window: 8_000,
    input_usd_per_million: 0,
    output_usd_per_million: 0,
  };
  const withSmall = createCatalog({ overrides: [{ id: "small", ...own }] });
  const decide = (promptTokens: number, changes: Partial<ChoiceInput> = {}) => {
    const choice = input({ promptTokens, qualityCost: 1, ...changes });
    return choose(scoreCandidates(withSmall, choice), choice)!;
  };
  expect(decide(5_000).ranked[0]!.model.id).toBe("small");
  const { ranked, reason } = decide(7_200);
  expect(ranked.at(-1)!.model.id).toBe("small");
  expect(reason).toContain("small would have been chosen but its context has no room for the answer");
  // A short answer has room enough, and any answer has where there is nothing else.
  const request = { messages: [{ role: "user" as const, content: "x" }], maxOutputTokens: 10 };
  expect(decide(7_200, { request }).ranked[0]!.model.id).toBe("small");
  const alone = decide(7_200, { isConfigured: ({ id }) => id === "small" });
  expect([alone.ranked[0]!.model.id, alone.reason]).toEqual(["small", expect.not.stringContaining("room")]);
  const down = decide(7_200, { healthOf: ({ id }) => (id === "small" ? "healthy" : "down") });
  expect(down.ranked[0]!.model.id).toBe("small");
  for (const id of ids.slice(0, 200)) expect(explore(decide(7_200), 1, id).ranked[0]!.model.id).not.toBe("small");
});

const estimates = () =>
  scoreCandidates(catalog, input())
    .map(({ estimatedCostNanoUsd }) => estimatedCostNanoUsd)
    .toSorted((a, b) => a - b);

test("where the ceiling holds nobody's usual answer, the cheapest gives a shorter one; where it holds no answer, nobody is chosen", () => {
  const choice = input({ ceilingNanoUsd: estimates()[0]! - 1, qualityCost: 0 });
  const candidates = scoreCandidates(catalog, choice);
  const least = Math.min(...candidates.map(({ expectedCostNanoUsd }) => expectedCostNanoUsd));
  const { ranked, ceilingDecided } = choose(candidates, choice)!;
  expect([ranked[0]!.expectedCostNanoUsd, ceilingDecided]).toEqual([least, true]);
  expect(choose(candidates, { ...choice, ceilingNanoUsd: 0 })).toBeUndefined();
});

test("models whose usual answer the ceiling does not hold come after all others, the cheapest first, whichever model leads", () => {
  const choice = input({ ceilingNanoUsd: estimates()[9]! });
  const { ranked } = choose(scoreCandidates(catalog, choice), choice)!;
  const fitting = ranked.filter(({ fitsCeiling }) => fitsCeiling);
  expect(fitting).toHaveLength(10);
  for (const order of [ranked, ...fitting.map((first) => leadBy(first, ranked))]) {
    expect(new Set(order.slice(0, 10))).toEqual(new Set(fitting));
    expect(new Set(order.slice(10))).toEqual(new Set(ranked.slice(10)));
  }
  const elsewhere = ranked.slice(10).filter(({ model }) => model.provider !== ranked[0]!.model.provider);
  expect(ranked.slice(10, 10 + elsewhere.length)).toEqual(elsewhere);
  const costs = elsewhere.map(({ expectedCostNanoUsd }) => expectedCostNanoUsd);
  expect([costs.length > 2, costs]).toEqual([true, costs.toSorted((a, b) => a - b)]);
});

test("the model that answered before keeps the conversation where another would be little better", () => {
  const [first, second] = scoreCandidates(catalog, input());
  expect(best({ stickyModel: second!.model.id }).model).toBe(second!.model);
  expect(best({ stickyModel: "no-such-model" }).model).toBe(first!.model);
});

const decisionOf = () => {
  const choice = input();
  return choose(scoreCandidates(catalog, choice), choice)!;
};
const ids = Array.from({ length: 4_000 }, (_, i) => `request-${i}`);

test("exploration keeps to its share, can be repeated, and says what it did", () => {
  const decision = decisionOf();
  const explored = ids.map((id) => explore(decision, 0.02, id)).filter((each) => each.explored);
  expect(explored.length).toBeGreaterThan(0);
  expect(explored.length).toBeLessThanOrEqual(4_000 * 0.03);
  expect(explored[0]!.reason).toContain("is tried instead of");
  expect(explored[0]!.ranked.length).toBe(decision.ranked.length);
  for (const id of ids.slice(0, 500))
    expect(explore(decision, 0.5, id).ranked[0]!.model.id).toBe(explore(decision, 0.5, id).ranked[0]!.model.id);
});

test("exploration leaves alone what is pinned, what a ceiling decided, and a share of nothing", () => {
  const decision = decisionOf();
  for (const id of ids.slice(0, 300)) {
    expect(explore({ ...decision, pinned: true }, 1, id).explored).toBeUndefined();
    expect(explore({ ...decision, ceilingDecided: true }, 1, id).explored).toBeUndefined();
    expect(explore(decision, 0, id).explored).toBeUndefined();
  }
});

test("a project's first two hundred calls try nothing unless the operator asks for it; frozen and in the sandbox none ever does", () => {
  const project = (settings: object) => ({ id: "p", name: "p", tier: "pro" as const, createdAtMs: 0, settings });
  const after = (calls: number) => ({ paces: new Map([["m", { factor: 1, calls }]]) }) as never;
  expect(explorationNow(project({}), "live", after(199))).toBe(0);
  expect(explorationNow(project({}), "live", after(200))).toBe(0.02);
  expect(explorationNow(project({ exploration: 0.1 }), "live", after(0))).toBe(0.1);
  expect(explorationNow(project({ exploration: 0 }), "live", after(200))).toBe(0);
  expect(explorationNow(project({ learningFrozen: true }), "live", after(200))).toBe(0);
  expect(explorationNow(project({ exploration: 1 }), "test", after(200))).toBe(0);
});

test("only healthy models that may yet be better are tried, and trials add little to the bill", () => {
  const decision = decisionOf();
  const best = decision.ranked[0]!;
  const sick = new Set(decision.ranked.slice(1, 4).map(({ model }) => model.id));
  const ranked = decision.ranked.map((each) => (sick.has(each.model.id) ? { ...each, health: "degraded" as const } : each));
  let extra = 0;
  for (const id of ids) {
    const tried = explore({ ...decision, ranked }, 0.02, id).ranked[0]!;
    expect(sick.has(tried.model.id)).toBe(false);
    if (tried !== best) {
      expect(tried.score).toBeGreaterThan(best.score - 0.5);
      extra += tried.expectedCostNanoUsd;
    }
  }
  expect(extra).toBeLessThan(0.06 * ids.length * best.expectedCostNanoUsd);
});
