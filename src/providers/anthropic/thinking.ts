/** How thinking is asked for, in each of the ways that Anthropic's models take. */

import type { ModelQuirks } from "../../catalog/model.ts";
import { nearestEffort } from "../dialect/nearest-effort.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import type { ChatRequest, ReasoningEffort, ThinkingWish } from "../provider.ts";
import { type AnthropicTurn, beganWithoutThought } from "./build-messages.ts";

/** `max_tokens` is mandatory; the router sets one, and this is for callers that bypass it. */
export const DEFAULT_MAX_TOKENS = 4096;
export const MIN_THINKING_TOKENS = 1024;
const THINKING_TOKENS: Record<Exclude<ReasoningEffort, "none">, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
/** Known to every model of which the catalog does not say otherwise. */
const USUAL_EFFORTS: readonly ReasoningEffort[] = ["low", "medium", "high", "xhigh", "max"];

/** An effort implies thinking, unless the caller can set both. */
export const wishOf = ({ thinking, reasoningEffort }: ChatRequest): "on" | "off" | "default" => {
  if (thinking === undefined) return reasoningEffort === undefined ? "default" : reasoningEffort === "none" ? "off" : "on";
  if (thinking.mode === "default") return "default";
  return thinking.mode === "disabled" || thinking.mode === "between_tools" ? "off" : "on";
};

const effortFields = ({ thinking, reasoningEffort: effort }: ChatRequest, { efforts = USUAL_EFFORTS }: ModelQuirks): WireBody => {
  if (effort === undefined || (thinking !== undefined && effort === "none")) return {};
  return { output_config: { effort: nearestEffort(effort, efforts) } };
};

/** Beside these, efforts beyond `high` are refused. Only Anthropic's own clients ask for an effort as well. */
const thinkLess = (type: "disabled" | "between_tools", request: ChatRequest, quirks: ModelQuirks): WireBody => {
  const { thinking, reasoningEffort: effort } = request;
  const bounded = thinking && effort && { ...request, reasoningEffort: nearestEffort(effort) };
  return { thinking: { type }, ...(bounded && effortFields(bounded, quirks)) };
};

/** For a model that the catalog knows nothing about, the form that an Anthropic client chose is the one that its model takes. */
const BY_MODE: Partial<Record<ThinkingWish["mode"], ModelQuirks["thinking"]>> = { enabled: "budget", adaptive: "adaptive" };

/** `isForced`: the model must call a tool, which it cannot while it thinks. */
export const thinkingFields = (
  request: ChatRequest,
  isForced: boolean,
  quirks: ModelQuirks,
  turns: readonly AnthropicTurn[],
): WireBody => {
  const control = quirks.thinking ?? BY_MODE[request.thinking?.mode ?? "default"];
  if (control === undefined) return {};
  const wish = wishOf(request);
  const { display, blockBinding } = request.thinking ?? {};
  const details = { ...(display && { display }), ...(blockBinding && { block_binding: blockBinding }) };
  switch (control) {
    case "always": {
      if (wish === "off" && quirks.notesBetweenTools) return thinkLess("between_tools", request, quirks);
      const asked = { ...(request.thinking && wish === "on" && { type: "adaptive" }), ...details };
      return { ...(Object.keys(asked).length > 0 && wish !== "off" && { thinking: asked }), ...effortFields(request, quirks) };
    }
    case "adaptive":
      if (wish === "on" && !isForced) {
        // Since Claude 4.7 nothing of the thinking is told unless asked for. Its own clients ask for themselves.
        const shown = request.thinking === undefined ? { display: "summarized" } : details;
        return { thinking: { type: "adaptive", ...shown }, ...effortFields(request, quirks) };
      }
      if (wish !== "default") return thinkLess("disabled", request, quirks);
      return request.thinking ? effortFields(request, quirks) : {};
    default: {
      // Thinking cannot be switched on in the middle of an answer that began without it.
      const budget = wish === "on" && !isForced && !beganWithoutThought(turns) ? budgetOf(request) : 0;
      return budget < MIN_THINKING_TOKENS ? {} : { thinking: { type: "enabled", budget_tokens: budget, ...details } };
    }
  }
};

/** The caller's own budget if it leaves room for an answer; else one by effort, at most half of the output bound. */
const budgetOf = ({ thinking, reasoningEffort = "medium", maxOutputTokens = DEFAULT_MAX_TOKENS }: ChatRequest): number => {
  const asked = thinking?.budgetTokens;
  if (asked !== undefined && asked < maxOutputTokens) return asked;
  return Math.min(asked ?? (reasoningEffort === "none" ? 0 : THINKING_TOKENS[reasoningEffort]), Math.floor(maxOutputTokens / 2));
};

export const thinks = (fields: WireBody): boolean => {
  const thinking = fields["thinking"] as { type?: string } | undefined;
  return thinking !== undefined && thinking.type !== "disabled";
};
