/** Which models can take a request at all: those with the abilities it needs, whose context holds its prompt. */

import type { Ability, ChatModel } from "../catalog/model.ts";
import type { ChatRequest, ContentPart } from "../providers/provider.ts";
import { LEAST_OUTPUT_TOKENS } from "./estimate-cost.ts";

const ABILITY_FOR: Record<ContentPart["type"], Ability | undefined> = {
  text: undefined,
  image: "vision",
  audio: "audio_input",
  video: "video_input",
  document: "pdf_input",
};

/** What the messages and tools need a model for. */
export const neededAbilities = (request: ChatRequest): Ability[] => {
  const needed = new Set<Ability>();
  for (const { content } of request.messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      const ability = ABILITY_FOR[part.type];
      if (ability !== undefined) needed.add(ability);
    }
  }
  if (request.tools !== undefined && request.tools.length > 0) needed.add("tools");
  return [...needed];
};

/** Whether the messages contain sound, which may cost more than text. */
export const hasSound = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => typeof content !== "string" && content.some(({ type }) => type === "audio"));

export const canTake = ({ abilities, quirks }: ChatModel, needed: readonly Ability[]): boolean => {
  for (const ability of needed) if (!abilities.includes(ability)) return false;
  return quirks?.needsAudio !== true || needed.includes("audio_input");
};

/** The context window in tokens of `countPrompt`: some tokenizers make more of a text than it counts. */
export const windowTokens = ({ contextWindow, tokenScale = 1 }: ChatModel): number => Math.floor(contextWindow / tokenScale);

/** Gap: what a model's chat template adds to a short prompt. Servers refuse a bound that does not fit beside it (vLLM). */
const TEMPLATE_TOKENS = 64;
/** The estimator's usual error: by as much a model may count more than was estimated. */
const MISCOUNT = 1.1;

/** Tokens of output for which the context has room even after a miscount; may be negative. */
export const outputRoom = ({ contextWindow, tokenScale = 1 }: ChatModel, promptTokens: number): number =>
  contextWindow - Math.ceil(promptTokens * tokenScale * MISCOUNT) - TEMPLATE_TOKENS;

export const fitsContext = (model: ChatModel, promptTokens: number): boolean =>
  promptTokens + LEAST_OUTPUT_TOKENS <= windowTokens(model);
