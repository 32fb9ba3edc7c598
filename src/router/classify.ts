/** Classifies a request: its task, whether it asks for media, how hard it is, and how sure that is (spec §2 rules 1 and 6). */
import type { MediaIntent, TaskType, TextTask } from "../catalog/task-type.ts";
import { TEXT_TASKS } from "../config/vocabulary.ts";
import { applyHead, indexOfMost, sigmoid, softmax } from "../encoder/apply-head.ts";
import type { Encoder } from "../encoder/encoder.ts";
import type { ShapeModel } from "../encoder/heads.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { type DetectedFormat, detectFormat } from "./detect-format.ts";
import { decideMedia } from "./detect-media.ts";
import { asksForMore } from "./features/ask-for-more.ts";
import { demandOf } from "./features/demand.ts";
import { type RequestFeatures, readFeatures, wordProblemShapes } from "./features/request-features.ts";
import { type RequestTexts, textsOf } from "./features/request-texts.ts";
import { withoutRepeats } from "./features/wording.ts";

export type ClassifyInput = { messages: readonly ChatMessage[]; hasSchema: boolean };

export type { DetectedFormat };

export type Classification = {
  task: TaskType;
  media: MediaIntent;
  /** Calibrated probability that a weak model fails, 0-1. */
  complexity: number;
  /** Calibrated probability that `task` is right. */
  confidence: number;
  /** The second likeliest task; absent if media parts decide the task. */
  runnerUp?: TextTask;
  /** The request as a unit vector of the encoder (all zero without known words). */
  vector: Float32Array;
  mediaConfidence: number;
  detectedFormat: DetectedFormat;
  evidence: Record<string, number | string>;
};

/** What a schema implies about the task, as log-odds: it structures supplied text, or labels it. */
const SCHEMA_PRIOR: Partial<Record<TextTask, number>> = { extraction: 1.2, classification: 0.4 };
const EVIDENCE_CHARACTERS = 200;
const CLASSIFICATION = TEXT_TASKS.indexOf("classification");

/** The time is bounded: of a long prompt, only both ends and the instruction found there are read. */
export function classify(encoder: Encoder, { messages, hasSchema }: ClassifyInput): Classification {
  const texts = textsOf(messages);
  const features = readFeatures(encoder, texts, hasSchema);
  const { route, calibration } = encoder.heads;
  const logits = applyHead(route, features);
  const taskLogits = logits.slice(0, TEXT_TASKS.length);
  if (hasSchema) for (let i = 0; i < TEXT_TASKS.length; i++) taskLogits[i]! += SCHEMA_PRIOR[TEXT_TASKS[i]!] ?? 0;
  const tasks = softmax(taskLogits, calibration.taskTemperature);
  const best = indexOfMost(tasks);
  const mediaLogits = logits.slice(TEXT_TASKS.length);
  const { instruction, characters } = features;
  const parts = partsOf(messages);
  // Read now, because reading the features again below overwrites them.
  const vector = features.dense.slice(0, encoder.dimensions);
  const complexity = sigmoid(hardnessIn(encoder, features, TEXT_TASKS[best]!));
  const decide = (logits: Float64Array, asked: string) => decideMedia(encoder, logits, asked, tasks[CLASSIFICATION]!);
  const decideAbout = (asked: RequestTexts) => {
    const again = readFeatures(encoder, asked, hasSchema);
    return decide(applyHead(route, again).slice(TEXT_TASKS.length), again.instruction);
  };
  let media = decide(mediaLogits, instruction);
  const once = media.media === "none" ? instruction : withoutRepeats(instruction);
  // The features count every repeat of a word, so a wish found among repeats must also be found without them.
  if (once !== instruction) media = decideAbout({ ...texts, text: once });
  // More of a medium is wished for only where the medium was.
  if (media.media !== "none" && asksForMore(texts.text)) media = decideAbout({ text: texts.before ?? "" });
  return {
    task: parts ?? TEXT_TASKS[best]!,
    media: parts === undefined ? media.media : "none",
    complexity,
    confidence: parts === undefined ? tasks[best]! : 1,
    ...(parts === undefined && { runnerUp: runnerUpOf(tasks, best) }),
    vector,
    mediaConfidence: parts === undefined ? media.confidence : 1,
    detectedFormat: detectFormat(instruction, hasSchema),
    evidence: explain(instruction, characters, tasks, hasSchema, parts),
  };
}

const runnerUpOf = (tasks: readonly number[], best: number): TextTask => {
  let second = best === 0 ? 1 : 0;
  for (let i = 0; i < tasks.length; i++) if (i !== best && tasks[i]! > tasks[second]!) second = i;
  return TEXT_TASKS[second]!;
};

/** Log-odds that a weak model fails. For word problems and exam questions, shapes tell how hard they are better than words do. */
function hardnessIn(encoder: Encoder, features: RequestFeatures, task: TextTask): number {
  const { complexity, calibration } = encoder.heads;
  if (features.exam !== undefined) return weigh(features.exam, calibration.exam);
  const wordProblem = task === "reasoning" ? wordProblemShapes(features) : undefined;
  if (wordProblem !== undefined) return weigh(wordProblem, calibration.wordProblem);
  const [hardness] = applyHead(complexity, features);
  // The head has learned from exams; for everyday requests, their demand is added.
  return hardness! * calibration.complexity.slope + calibration.complexity.intercept + demandOf(features);
}

const weigh = (shapes: readonly number[], { bias, weights }: ShapeModel): number =>
  shapes.reduce((sum, shape, i) => sum + shape * weights[i]!, bias);

/** Attached media decide the task: an image needs a model with vision, whatever is asked about it. */
export function partsOf(messages: readonly ChatMessage[]): "vision" | "audio" | undefined {
  let found: "vision" | "audio" | undefined;
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type === "image") return "vision";
      if (part.type === "audio") found = "audio";
    }
  }
  return found;
}

function explain(instruction: string, characters: number, tasks: number[], hasSchema: boolean, parts: string | undefined) {
  const evidence: Record<string, number | string> = { instruction: instruction.trim().slice(0, EVIDENCE_CHARACTERS), characters };
  TEXT_TASKS.forEach((task, i) => {
    if (tasks[i]! >= 0.05) evidence[task] = Math.round(tasks[i]! * 100) / 100;
  });
  if (hasSchema) evidence["schema"] = "extraction prior";
  if (parts) evidence["parts"] = parts;
  return evidence;
}
