/** The report of eval:routing as Markdown: reach table, shipped heads, confusion, method. */
import type { Scores } from "./score.ts";

type CostQualityFigures = { apgr: number; cpt50: number; cpt80: number; curve: [number, number][] };
type RefusalFigures = { f1: number; falsePositives: number; recall: number };

/** eval/results/routing-honest.json, as eval/routing/train.py wrote it. */
export type Honest = {
  routing: {
    rows: number;
    macroF1: number;
    f1: Record<string, number>;
    accuracy: number;
    accuracyOfSurest80: number;
    calibrationError: number;
    perSource: Record<string, number>;
    confusion: number[][];
    robustness: number;
    own: { rows: number; accuracy: number; mediaMacroF1: number; mediaFalseAlarms: number };
    media: {
      macroF1: number;
      f1: Record<string, number>;
      falseAlarms: number;
      falseAlarmsOnHardNegatives: number;
      confusion: number[][];
    };
  };
  complexity: {
    aucMmlu: number;
    /** Nine in ten of what other subjects of the same kind would show. */
    aucMmluInterval: [number, number];
    aucMmluWithoutTheTwoLargest: number;
    apgrMmluInterval: [number, number];
    /** Without the one subject of which the strong model's answers were read wrongly. */
    apgrMmluSound: number;
    aucGsm8k: number;
    calibrationError: number;
    mmlu: CostQualityFigures;
    gsm8k: CostQualityFigures;
  };
  refusal: RefusalFigures & { rows: number; promptsUnseenToo: RefusalFigures };
};

type TaskAndMedia = { task: Scores; media: Scores };

export type Shipped = {
  heldOut: TaskAndMedia;
  /** Requests of many trades, registers and languages that were never learned from. */
  blind: TaskAndMedia;
  /** A second blind set: wishes for media in many registers, and requests that only look like one. */
  wishes: Scores;
  /** Further ones, each with what it holds. */
  furtherBlind: (TaskAndMedia & { what: string })[];
  heldOutAnswers: Scores;
  decliningAtLength: Scores;
  robustness: Record<string, number>;
  robustnessRows: number;
  time: { p50: number; p99: number };
  /** How busy the machine was: others' work shows in the 99th percentile first. */
  machine: string;
  revisions: string;
};

const two = (value: number): string => value.toFixed(3);
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
const range = ([low, high]: [number, number]): string => `${two(low)} to ${two(high)}`;
const worst = (f1: Record<string, number>): string => {
  const [name, value] = Object.entries(f1).reduce((a, b) => (b[1] < a[1] ? b : a));
  return `${two(value)} (${name})`;
};

export function render({ routing, complexity, refusal }: Honest, shipped: Shipped, day: string): string {
  const { heldOut, blind, wishes, heldOutAnswers, decliningAtLength, time } = shipped;
  const quality = ({ apgr, cpt50, cpt80 }: CostQualityFigures) => `${two(apgr)} | ${percent(cpt50)} | ${percent(cpt80)}`;
  return `# Routing, ${day}

${shipped.revisions}

| Metric | reach | unseen sources (source left out) | shipped heads, blind requests (n = ${blind.task.rows}) | older held-out requests (n = ${heldOut.task.rows}) |
|---|---|---|---|---|
| task macro-F1; weakest class | 0.85; 0.78 | ${two(routing.macroF1)}; ${worst(routing.f1)} | ${two(blind.task.macroF1)}; ${worst(blind.task.f1)} | ${two(heldOut.task.macroF1)}; ${worst(heldOut.task.f1)} |
| accuracy on requests as businesses write them | 0.80 | ${two(routing.own.accuracy)} (own requests, n = ${routing.own.rows}, a sixth left out) | ${two(blind.task.accuracy)} | ${two(heldOut.task.accuracy)} |
| accuracy of the surest 80 %; calibration error | 0.93; 0.04 | ${two(routing.accuracyOfSurest80)}; ${two(routing.calibrationError)} | ${two(blind.task.accuracyOfSurest80)}; ${two(blind.task.calibrationError)} | ${two(heldOut.task.accuracyOfSurest80)}; ${two(heldOut.task.calibrationError)} |
| media macro-F1 | 0.94 | ${two(routing.media.macroF1)} (own requests ${two(routing.own.mediaMacroF1)}, ${percent(routing.own.mediaFalseAlarms)} false alarms) | ${two(blind.media.macroF1)} | ${two(heldOut.media.macroF1)} |
| media on the second blind set, half wishes, half look-alikes (n = ${wishes.rows}): macro-F1; false alarms | - | - | ${two(wishes.macroF1)}; ${percent(falseAlarms(wishes))} | - |
${shipped.furtherBlind.map(furtherRows).join("\n")}
| media false alarms; on hard negatives | 0.3 %; 4 % | ${percent(routing.media.falseAlarms)}; ${percent(routing.media.falseAlarmsOnHardNegatives)} | ${percent(falseAlarms(blind.media))} | ${percent(falseAlarms(heldOut.media))} |
| refusal F1; false positives (model left out) | 0.94; 0.6 % | ${two(refusal.f1)}; ${percent(refusal.falsePositives)} | ${two(heldOutAnswers.f1["refusal"]!)}; ${refusedAnswers(heldOutAnswers)} (answers held out, n = ${heldOutAnswers.rows}) | - |
| the same with XSTest's prompts left out too | - | ${two(refusal.promptsUnseenToo.f1)}; ${percent(refusal.promptsUnseenToo.falsePositives)} | - | - |
| answers that decline and offer something else at length, and answers that only sound like it (n = ${decliningAtLength.rows}): noticed; taken for refusals | - | - | ${noticedRefusals(decliningAtLength)}; ${refusedAnswers(decliningAtLength)} | - |
| AUC "the weak model fails", MMLU subjects unseen | 0.70 | ${two(complexity.aucMmlu)} (${range(complexity.aucMmluInterval)}; without the two largest: ${two(complexity.aucMmluWithoutTheTwoLargest)}) | - | - |
| same decision after light damage | 97 % | ${percent(routing.robustness)} (several kinds of damage at once) | ${percent(mean(Object.values(shipped.robustness)))} (n = ${shipped.robustnessRows}) | - |
| whole decision, 4,000 characters: p50; p99 | 150 µs; 500 µs | - | ${time.p50.toFixed(0)} µs; ${time.p99.toFixed(0)} µs (${shipped.machine}) | - |

Of the own requests left out in sixths, frames were written with some in view, so their figure flatters. Of the blind and the held-out ones only
totals by class were looked at, after each of some twenty trainings; no row or frame was written because of a single miss. One rule was: two false
alarms at wishes for media were read («give me a clear picture of …», «picture this: …»), and such pictures are not painted any more.
When the rules were weighed one by one, six false alarms were shown. For one of them, a wish that the system prompt has labelled, a rule was
written after frames for it had not helped; of 585 wishes in our sets it takes two. Of the third set's rows nothing was read.

## Cost and quality

| | APGR | strong calls for 50 % of the gap | for 80 % |
|---|---|---|---|
| MMLU, subjects unseen | ${quality(complexity.mmlu)} |
| GSM8K, other half | ${quality(complexity.gsm8k)} |
| zero router | 0.500 | 50.0 % | 80.0 % |

![curve](routing-${day}.svg)

APGR on MMLU ${range(complexity.apgrMmluInterval)} for other subjects drawn from these; without high school mathematics ${two(complexity.apgrMmluSound)}. There
3 % of the strong model's answers count as right, beside 39 % in college mathematics: they were read wrongly, and the hardest questions pay for it.
AUC on GSM8K ${two(complexity.aucGsm8k)}; calibration error of "the weak model fails" ${two(complexity.calibrationError)}.

## Robustness of the shipped heads (${shipped.robustnessRows} requests)

| damage | same task and media |
|---|---|
${Object.entries(shipped.robustness)
  .map(([name, share]) => `| ${name} | ${percent(share)} |`)
  .join("\n")}

## Tasks on unseen sources (${routing.rows} rows): rows are the truth, columns the guess

${matrix(Object.keys(routing.f1), routing.confusion)}

## Media on unseen sources

${matrix(Object.keys(routing.media.f1), routing.media.confusion)}

## Shipped heads on the blind requests

${matrix(
  Object.keys(blind.task.confusion),
  Object.values(blind.task.confusion).map((row) => Object.values(row)),
)}

## Shipped heads on the second blind set: media

${matrix(
  Object.keys(wishes.confusion),
  Object.values(wishes.confusion).map((row) => Object.values(row)),
)}

## Accuracy by source left out

| source | accuracy |
|---|---|
${Object.entries(routing.perSource)
  .map(([name, value]) => `| ${name} | ${two(value)} |`)
  .join("\n")}

## Method

Sources in ../shared/data/routing, grouped by author and text; each group is left out in turn, the heads learn from the other groups and from
composed frames (eval/routing/frames), and the group is scored; figures are over all such rows. When Dolly is left out, so are the frames
around Dolly passages. Difficulty: five folds of whole MMLU subjects, the mean of five draws of them; the shapes were chosen with such figures
in view (chosen inside each fold, from a wider set: AUC 0.692, APGR 0.594, one draw); the ranges are of nine in ten draws of subjects. GSM8K: half of it learned, the other half scored. Refusals: one answering
model left out at a time. The temperatures of both confidences and the caution at media weigh our own requests as much as the sources.
Temperature, thresholds and Platt scales are chosen on the same left-out scores, which flatters them slightly.
Questions with listed answers are scored by their shapes (src/router/features/exam-shapes.ts), all else by the complexity head and by what everyday
requests demand. A score that knew each MMLU subject's true share of failures, and nothing of the question, would reach AUC 0.730 and APGR 0.604 on these rows.
The blind requests were written before asks.tsv, which the heads learn from, the second set (media-blind.tsv) before its last
605 rows, the third (strangers-blind.tsv) before its last 456, the fourth (indirect-blind.tsv) before the last 560 frames, and kept out of sight of them, though its themes are kin to theirs: written in the same hour, it flatters more. The fifth (kinds-blind.tsv)
was written before the last frames and the last 94 rows, in the same hour too. The sixth (authors-blind.tsv) was written after all that the heads learned from, but for frames/given.txt and the frames in 30 languages. The
seventh (languages-blind.tsv) was written before these, by the author of both. The eighth (outside-blind.tsv) was
written after all of them and before two rules, for prompts of examples and for look-alikes of videos. The ninth (turns-blind.tsv) was written
before conversations were read in two ways, and of its rows nothing was read. The held-out requests and answers are older. One author wrote them all, and strangers' requests score lower: 535 of 646 tasks right (eval/routing/README.md).
`;
}

const furtherRows = ({ what, task, media }: Shipped["furtherBlind"][number]): string => {
  const hasWishes = Object.entries(media.confusion).some(([kind, row]) => kind !== "none" && sum(Object.values(row)) > 0);
  return `| ${what} (n = ${media.rows}): task accuracy; macro-F1 | - | - | ${two(task.accuracy)}; ${two(task.macroF1)} | - |
| the same: media macro-F1; false alarms | - | - | ${hasWishes ? two(media.macroF1) : "no wishes"}; ${percent(falseAlarms(media))} | - |`;
};

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: number[]): number => sum(values) / values.length;

/** Answers that only look like refusals, written to be hard: a share of them says nothing about everyday traffic, so they are counted. */
const refusedAnswers = ({ confusion }: Scores): string => {
  const { refusal, answer } = confusion["answer"]!;
  return `${refusal} of ${refusal! + answer!}, all written to be hard`;
};

const noticedRefusals = ({ confusion }: Scores): string => {
  const { refusal, answer } = confusion["refusal"]!;
  return `${refusal} of ${refusal! + answer!}`;
};

const falseAlarms = ({ confusion, rows }: Scores): number => {
  const none = confusion["none"]!;
  return Object.entries(none).reduce((sum, [guess, count]) => sum + (guess === "none" ? 0 : count), 0) / rows;
};

function matrix(names: string[], counts: number[][]): string {
  const rows = counts.map((row, i) => `| ${names[i]} | ${row.join(" | ")} |`);
  return [`| | ${names.join(" | ")} |`, `|---|${names.map(() => "---").join("|")}|`, ...rows].join("\n");
}
