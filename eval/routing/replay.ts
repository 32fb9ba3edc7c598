/**
 * Replays outcomes of a weak and a strong model as a stream of calls: the router that learns against the same router without learning.
 * Nothing that decides has seen the outcomes beforehand: the complexity comes from a model trained on other subjects.
 * bun eval/routing/replay.ts → eval/results/routing-replay-<day>.md
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { createCatalog } from "../../src/catalog/catalog.ts";
import type { ChatModel } from "../../src/catalog/model.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { choose } from "../../src/router/choose.ts";
import { explore } from "../../src/router/explore.ts";
import { joinPlace, learnedAbout, newLearning, observe } from "../../src/router/learning/project-learning.ts";
import { type ChoiceInput, scoreCandidates } from "../../src/router/score-candidates.ts";
import { predictUnseen } from "./difficulty-model.ts";
import { aucOf, randomFrom, shuffled } from "./linear-model.ts";

const FILE = join(import.meta.dir, "../../../shared/data/routing/pairs.jsonl");
const RESULTS = join(import.meta.dir, "../results");
const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);
const KNOBS = [0.15, 0.25, 0.35];
/** Positions of the knob that the static router is swept over. */
const SWEEP = Array.from({ length: 41 }, (_, i) => i / 80);
const EXPLORATION = 0.02;
const SECONDS_BETWEEN_CALLS = 20;
/** The catalog's entries nearest to the two models of the outcomes (Mixtral 8x7B, GPT-4 Turbo of 2023). */
const WEAK_LIKE = "gpt-4o-mini";
const STRONG_LIKE = "gpt-4o";
const WEAK_USD = [0.24, 0.24] as const;
const STRONG_USD = [10, 30] as const;

type Pair = { text: string; subject: string; weak_correct: boolean; strong_correct: boolean };
type Call = {
  weak: boolean;
  strong: boolean;
  complexity: number;
  vector: Float32Array;
  promptTokens: number;
  sweptStrong: boolean[];
};
/** `worth`: good answers less what the knob takes off for their cost and time. */
type Tally = { calls: number; good: number; strong: number; worth: number };

if (!existsSync(FILE)) {
  console.log("The outcomes are not here; nothing was replayed.");
  process.exit(0);
}
const pairs = (await Bun.file(FILE).text())
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Pair);
const encoder = await loadEncoder();
const unseen = predictUnseen(
  encoder,
  pairs.map(({ text, subject, weak_correct }) => ({ text, subject, weakFails: !weak_correct })),
);
const calls: Call[] = pairs.map((pair, i) => ({
  weak: pair.weak_correct,
  strong: pair.strong_correct,
  ...unseen[i]!,
  promptTokens: Math.ceil(pair.text.length / 4),
  sweptStrong: [],
}));
const auc = aucOf(
  calls.map(({ complexity }) => complexity),
  calls.map(({ weak }) => !weak),
);

const like = (id: string, as: string, [input, output]: readonly [number, number]): ChatModel => {
  const model = createCatalog({ overrides: [] }).findChatModel(as)!;
  const prices = {
    inputNanoUsd: input * 1000,
    cacheReadNanoUsd: input * 1000,
    cacheWriteNanoUsd: input * 1000,
    outputNanoUsd: output * 1000,
  };
  const { aliases: _, shutdownDate: __, ...rest } = model;
  return { ...rest, id, upstreamModel: id, prices };
};
const WEAK = like("replayed-weak", WEAK_LIKE, WEAK_USD);
const STRONG = like("replayed-strong", STRONG_LIKE, STRONG_USD);
const catalog = createCatalog({ overrides: [], discovered: [WEAK, STRONG] });
const models: readonly ChatModel[] = [WEAK, STRONG];
const request = { messages: [{ role: "user" as const, content: "" }] };

const inputFor = ({ complexity, promptTokens }: Call, qualityCost: number, now: number): ChoiceInput => ({
  request,
  promptTokens,
  classification: { task: "reasoning", complexity, confidence: 1 },
  qualityCost,
  preferFaster: false,
  isConfigured: (model) => models.includes(model),
  healthOf: () => "healthy",
  now,
});

/** `judged`: the share of calls of which the outcome becomes known, as feedback or a judge would tell; of the others nothing. */
const replay = (stream: readonly Call[], qualityCost: number, learns: boolean, judged: number, seed: number): Tally[] => {
  const learning = newLearning();
  const random = randomFrom(seed * 7919);
  const blocks: Tally[] = [];
  for (const [i, call] of stream.entries()) {
    const now = i * SECONDS_BETWEEN_CALLS * 1000;
    const about = { task: "reasoning" as const, complexity: call.complexity, vector: call.vector };
    const input = { ...inputFor(call, qualityCost, now), ...(learns && { learned: learnedAbout(learning, about, now) }) };
    const best = choose(scoreCandidates(catalog, input), input)!;
    const chosen = (learns ? explore(best, EXPLORATION, `${seed}-${i}`) : best).ranked[0]!;
    const { model } = chosen;
    const good = model === WEAK ? call.weak : call.strong;
    if (learns && random() < judged) {
      const place = joinPlace(learning, call.vector);
      observe(learning, { model, ...about, place, outcome: { score: Number(good), weight: 1 } }, now);
    }
    const block = Math.floor(i / 1000);
    blocks[block] ??= { calls: 0, good: 0, strong: 0, worth: 0 };
    const tally = blocks[block]!;
    tally.calls++;
    tally.good += Number(good);
    tally.strong += Number(model === STRONG);
    tally.worth += Number(good) - (chosen.quality - chosen.score);
  }
  return blocks;
};

const sum = (tallies: readonly Tally[]) => {
  const calls = tallies.reduce((total, each) => total + each.calls, 0);
  return {
    quality: tallies.reduce((total, each) => total + each.good, 0) / calls,
    strong: tallies.reduce((total, each) => total + each.strong, 0) / calls,
    worth: tallies.reduce((total, each) => total + each.worth, 0) / calls,
  };
};

type Point = { strong: number; quality: number };

// The static router decides about a call the same wherever it stands in the stream.
for (const call of calls) {
  call.sweptStrong = SWEEP.map((qualityCost) => {
    const input = inputFor(call, qualityCost, 0);
    return choose(scoreCandidates(catalog, input), input)!.ranked[0]!.model === STRONG;
  });
}
/** What the static router makes of these calls at every position of its knob, from the fewest strong calls to the most. */
const curveOf = (stream: readonly Call[]): Point[] => {
  const share = (is: (call: Call) => boolean) => stream.reduce((total, call) => total + Number(is(call)), 0) / stream.length;
  const points = SWEEP.map((_, k) => ({
    strong: share((call) => call.sweptStrong[k]!),
    quality: share((call) => (call.sweptStrong[k] ? call.strong : call.weak)),
  }));
  return points.sort((a, b) => a.strong - b.strong);
};

/** The share answered well on that curve at a share of strong calls, between two positions by line. */
const qualityAt = (curve: readonly Point[], strong: number): number => {
  const after = curve.findIndex((point) => point.strong >= strong);
  if (after <= 0) return curve.at(after)!.quality;
  const [low, high] = [curve[after - 1]!, curve[after]!];
  const part = high.strong === low.strong ? 0 : (strong - low.strong) / (high.strong - low.strong);
  return low.quality + part * (high.quality - low.quality);
};
const curves = {
  known: new Map<string, Point[]>(),
  of(key: string, stream: readonly Call[]): Point[] {
    const curve = this.known.get(key) ?? curveOf(stream);
    this.known.set(key, curve);
    return curve;
  },
};

/** The plainest router: the prompts likeliest to be too hard for the weak model, as many as that share, go to the strong one. */
const thresholdAt = (stream: readonly Call[], strong: number): number => {
  const hardest = [...stream].sort((a, b) => b.complexity - a.complexity);
  const sent = Math.round(strong * stream.length);
  return hardest.reduce((total, call, rank) => total + Number(rank < sent ? call.strong : call.weak), 0) / stream.length;
};
/** The zero router: the same share, drawn without a look at the prompt. */
const mixAt = (stream: readonly Call[], strong: number): number =>
  stream.reduce((total, call) => total + (1 - strong) * Number(call.weak) + strong * Number(call.strong), 0) / stream.length;

type Row = {
  label: string;
  learned: number;
  staticRouter: number;
  threshold: number;
  mix: number;
  strong: number;
  staticShare: number;
  gain: number;
};

const run = (judged: number, qualityCost: number): Row[] => {
  const perBlock = new Map<string, Row[]>();
  for (const seed of SEEDS) {
    const stream = shuffled(calls, randomFrom(seed));
    const learned = replay(stream, qualityCost, true, judged, seed);
    const fixed = replay(stream, qualityCost, false, judged, seed);
    const add = (label: string, from: number, to: number) => {
      const part = stream.slice(from * 1000, to * 1000);
      const { quality, strong, worth } = sum(learned.slice(from, to));
      const own = sum(fixed.slice(from, to));
      const row = {
        label,
        learned: quality,
        staticRouter: qualityAt(curves.of(`${seed} ${label}`, part), strong),
        threshold: thresholdAt(part, strong),
        mix: mixAt(part, strong),
        strong,
        staticShare: own.strong,
        gain: worth - own.worth,
      };
      perBlock.set(label, [...(perBlock.get(label) ?? []), row]);
    };
    for (let block = 0; block < 10; block++) add(`${block * 1000 + 1}-${(block + 1) * 1000}`, block, block + 1);
    add("after 1,000", 1, learned.length);
  }
  return [...perBlock].map(([label, rows]) => ({ ...average(rows), label }));
};

const average = (rows: readonly Row[]): Row => {
  const mean = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0) / rows.length;
  return {
    label: rows[0]!.label,
    learned: mean(({ learned }) => learned),
    staticRouter: mean(({ staticRouter }) => staticRouter),
    threshold: mean(({ threshold }) => threshold),
    mix: mean(({ mix }) => mix),
    strong: mean(({ strong }) => strong),
    staticShare: mean(({ staticShare }) => staticShare),
    gain: mean(({ gain }) => gain),
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const signed = (share: number): string => `${share >= 0 ? "+" : ""}${(share * 100).toFixed(2)}`;
const lines = [
  "# Replay of outcomes as a stream",
  "",
  `${calls.length} prompts of 35 MMLU subjects and GSM8K, each with whether a weak and a strong model answered well (RouteLLM's outcomes), in`,
  `${SEEDS.length} random orders. Complexity: logistic regressions that saw none of the prompt's subject (AUC ${auc.toFixed(3)} for "the weak model fails").`,
  `The learning router sees the outcome of the model it chose, never the other's. Compared at equal cost, that is at the same`,
  "share of calls sent to the strong model: with the same router without learning, swept over its knob with hindsight; with a threshold on the",
  "complexity alone, as static routers are usually built; and with a mix that draws that share blindly.",
  "Worth is what the knob asks for: good answers less its price for cost and time; the gain is over what the static router itself chose.",
];
let worst = 0;
let leastGain = 0;
let worstLater = Number.POSITIVE_INFINITY;
let leastGainLater = Number.POSITIVE_INFINITY;
for (const judged of [1, 0.2]) {
  for (const qualityCost of KNOBS) {
    const rows = run(judged, qualityCost);
    lines.push(
      "",
      `## ${judged === 1 ? "Every outcome becomes known" : `${percent(judged)} of the outcomes become known`}, quality_cost ${qualityCost}`,
      "",
      "| Calls | learned | static, swept | difference | threshold | difference | random mix | strong share | static's own share | gain in worth |",
      "|---|---|---|---|---|---|---|---|---|---|",
    );
    for (const row of rows) {
      const difference = row.learned - row.staticRouter;
      worst = Math.min(worst, difference);
      leastGain = Math.min(leastGain, row.gain);
      if (row.label === "after 1,000") {
        worstLater = Math.min(worstLater, difference);
        leastGainLater = Math.min(leastGainLater, row.gain);
      }
      lines.push(
        `| ${row.label} | ${percent(row.learned)} | ${percent(row.staticRouter)} | ${signed(difference)} | ${percent(row.threshold)} | ${signed(row.learned - row.threshold)} | ${percent(row.mix)} | ${percent(row.strong)} | ${percent(row.staticShare)} | ${signed(row.gain)} |`,
      );
    }
  }
}
lines.push(
  "",
  `Worst block of all: ${(worst * 100).toFixed(2)} points against the swept static router at equal cost, ${signed(leastGain)} in worth;`,
  `over all calls after 1,000 at the least ${signed(worstLater)} and ${signed(leastGainLater)}. A block's figure is good to about 0.3 points.`,
  "",
);
const day = new Date().toISOString().slice(0, 10);
await Bun.write(join(RESULTS, `routing-replay-${day}.md`), lines.join("\n"));
console.log(lines.join("\n"));
