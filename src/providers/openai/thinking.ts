/** How thinking is asked for and switched off in a format that has several ways to do so, and whose goes back with past calls. */

import type { ModelQuirks } from "../../catalog/model.ts";
import { plainThought } from "../dialect/message-parts.ts";
import { effortOf } from "../dialect/nearest-effort.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import type { ChatRequest } from "../provider.ts";

/** A model that the catalog knows nothing of; it knows the efforts of all others. */
const isUnknown = ({ efforts }: ModelQuirks): boolean => efforts === undefined;

/** DeepSeek wants its thinking back with its calls, and so do most open models that think (Kimi, GLM, MiniMax). */
export const wantsThoughtBack = (quirks: ModelQuirks): boolean => quirks.thinking === "toggle" || isUnknown(quirks);

/** DeepSeek thinks unless told not to. While thinking it accepts neither a forced tool nor past calls whose thinking is missing. */
const mustNotThink = ({ reasoningEffort, toolChoice, messages }: ChatRequest): boolean =>
  reasoningEffort === "none" ||
  toolChoice === "required" ||
  typeof toolChoice === "object" ||
  messages.some(
    (message) => message.role === "assistant" && message.toolCalls !== undefined && plainThought(message) === undefined,
  );

export const isSwitchedOff = (request: ChatRequest, { thinking }: ModelQuirks): boolean =>
  thinking === "toggle" && mustNotThink(request);

/** DeepSeek's switch, Moonshot's and Z.ai's. */
const SWITCHED_OFF: WireBody = { thinking: { type: "disabled" } };
/** Servers of open models (vLLM, llama.cpp, SGLang) switch thinking off by the chat template. */
const EVERY_SWITCH: WireBody = { chat_template_kwargs: { enable_thinking: false }, ...SWITCHED_OFF };

export const thinkingFields = (request: ChatRequest, quirks: ModelQuirks): WireBody => {
  if (isSwitchedOff(request, quirks)) return SWITCHED_OFF;
  const effort = effortOf(request, quirks, "openai");
  if (effort === undefined) return {};
  return { reasoning_effort: effort, ...(effort === "none" && isUnknown(quirks) && EVERY_SWITCH) };
};
