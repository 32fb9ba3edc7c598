/**
 * How likely a model does a prompt well: one logistic of the model's ability at the task against the prompt's difficulty
 * (the shape of item response theory). `strength` is the share done well at middling difficulty.
 */

import type { ChatModel } from "../catalog/model.ts";
import type { TaskType, TextTask } from "../catalog/task-type.ts";

/** Complexity at which `strength` holds as it stands. */
const MIDDLING = 0.4;
/** How much harder a prompt gets for every model as its complexity rises, in log-odds. */
const SLOPE = 0.7;

const logit = (share: number): number => Math.log(share / (1 - share));
const clamp = (share: number): number => Math.min(0.995, Math.max(0.005, share));

/** What a task with media parts asks of a model besides seeing or hearing is reasoning about it. */
export const textTaskOf = (task: TaskType): TextTask => (task === "vision" || task === "audio" ? "reasoning" : task);

export type StrengthOf = (model: ChatModel, task: TextTask) => number;
export const catalogStrength: StrengthOf = (model, task) => model.strength[task];

export const predictQuality = (strength: number, complexity: number): number =>
  1 / (1 + Math.exp(-(logit(clamp(strength)) - SLOPE * (logit(clamp(complexity)) - logit(MIDDLING)))));
