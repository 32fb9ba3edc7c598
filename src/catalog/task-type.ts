/** The task types of spec.md "Chat response" and the media a prompt may ask for (rule 6). */

import { TEXT_TASKS } from "../config/vocabulary.ts";

export const TASK_TYPES = [...TEXT_TASKS, "vision", "audio"] as const;
export type TextTask = (typeof TEXT_TASKS)[number];
export type TaskType = (typeof TASK_TYPES)[number];

export const MEDIA_INTENTS = ["none", "image", "video", "speech"] as const;
export type MediaIntent = (typeof MEDIA_INTENTS)[number];
