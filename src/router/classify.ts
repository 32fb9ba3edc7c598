/** Classifies a request: its task, whether it asks for media, how hard it is, and how sure that is (spec §2 rules 1 and 6). */
import type { MediaIntent, TaskType, TextTask } from "../catalog/task-type.ts";
import { TEXT_TASKS } from "../config/vocabulary.ts";
import { applyHead, indexOfMost, sigmoid, softmax } from "../encoder/apply-head.ts";
import type { Encoder } from "../encoder/encoder.ts";
import type { ShapeModel } from "../encoder/heads.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { type DetectedFormat, detectFormat } from "./detect-format.ts";
import { decideMedia, type MediaVerdict } from "./detect-media.ts";
import { asksForMore } from "./features/ask-for-more.ts";
import { demandOf } from "./features/demand.ts";
import { type RequestFeatures, wordProblemShapes } from "./features/request-features.ts";
import { type RequestTexts, textsOf } from "./features/request-texts.ts";
import { withoutRepeats } from "./features/wording.ts";
import { type Reading, readMessages, readRequest } from "./read-messages.ts";

export type ClassifyInput = { messages: readonly ChatMessage[]; hasSchema: boolean };

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
  const reading = readMessages(encoder, texts, hasSchema);
  const { features } = reading;
  const tasks = taskChances(encoder, reading.taskLogits, hasSchema);
  const best = indexOfMost(tasks);
  const task = TEXT_TASKS[best]!;
  const parts = partsOf(messages);
  const found = {
    complexity: sigmoid(hardnessIn(encoder, features, task)),
    // A copy, because reading another request overwrites the features.
    vector: features.dense.slice(0, encoder.dimensions),
    detectedFormat: detectFormat(features.instruction, hasSchema),
    evidence: explain(features, tasks, hasSchema, parts),
  };
  if (parts !== undefined) return { ...found, task: parts, confidence: 1, media: "none", mediaConfidence: 1 };
  const { media, confidence: mediaConfidence } = mediaWish(encoder, texts, hasSchema, reading, tasks[CLASSIFICATION]!);
  return { ...found, task, confidence: tasks[best]!, runnerUp: runnerUpOf(tasks, best), media, mediaConfidence };
}

const taskChances = ({ heads }: Encoder, logits: Float64Array, hasSchema: boolean): number[] => {
  const given = hasSchema ? logits.map((logit, i) => logit + (SCHEMA_PRIOR[TEXT_TASKS[i]!] ?? 0)) : logits;
  return softmax(given, heads.calibration.taskTemperature);
};

/** `labelling`: the chance that the task is classification. */
function mediaWish(encoder: Encoder, texts: RequestTexts, hasSchema: boolean, reading: Reading, labelling: number): MediaVerdict {
  const decide = ({ mediaLogits, features }: Reading) => decideMedia(encoder, mediaLogits, features.instruction, labelling);
  const decideAbout = (asked: RequestTexts) => decide(readRequest(encoder, asked, hasSchema));
  const first = decide(reading);
  if (first.media === "none") return first;
  const { instruction } = reading.features;
  const once = withoutRepeats(instruction);
  // The features count every repeat of a word, so a wish found among repeats must also be found without them.
  const wish = once === instruction ? first : decideAbout({ ...texts, text: once });
  // More of a medium is wished for only where the medium was.
  return wish.media !== "none" && asksForMore(texts.text) ? decideAbout({ text: texts.before ?? "" }) : wish;
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

function explain({ instruction, characters }: RequestFeatures, tasks: number[], hasSchema: boolean, parts: string | undefined) {
  const evidence: Record<string, number | string> = { instruction: instruction.trim().slice(0, EVIDENCE_CHARACTERS), characters };
  TEXT_TASKS.forEach((task, i) => {
    if (tasks[i]! >= 0.05) evidence[task] = Math.round(tasks[i]! * 100) / 100;
  });
  if (hasSchema) evidence["schema"] = "extraction prior";
  if (parts) evidence["parts"] = parts;
  return evidence;
}
