/** Errors that say why no model can take a call, and what would help. */

import { ApiError, invalidRequest, serviceUnavailable } from "../../api-error.ts";
import type { ChatModel } from "../../catalog/model.ts";
import { usdText } from "../../lib/money.ts";
import { canTake, fitsContext, neededAbilities, windowTokens } from "../../router/can-take.ts";
import { type Candidate, type ChoiceInput, leastCostOf } from "../../router/score-candidates.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";

/** `models`: those that are reachable. */
export const noCandidate = (
  models: readonly ChatModel[],
  choice: ChoiceInput,
  { named, caller: { key } }: CallDraft,
): ApiError => {
  const only = named.isExclusive ? named.all : [];
  const needed = neededAbilities(choice.request);
  const able = models.filter((model) => canTake(model, needed));
  if (able.length === 0) {
    const subject =
      only.length > 1
        ? "None of the models named can"
        : only.length === 1
          ? `The model ${only[0]!.id} cannot`
          : key.models === null
            ? "No configured model can"
            : `None of the models that this key may use (${key.models.join(", ")}) can`;
    const lacking = needed.length === 0 ? "it contains no audio" : `it needs ${needed.join(", ")}`;
    return invalidRequest(`${subject} take this request: ${lacking}.`, "messages", "no_capable_model");
  }
  const roomy = able.filter((model) => fitsContext(model, choice.promptTokens));
  if (roomy.length === 0) {
    const most = Math.max(...able.map(windowTokens));
    return invalidRequest(
      // Clients shorten their conversation where an error has these words of Anthropic's.
      `The prompt is too long: about ${choice.promptTokens} tokens > ${most} maximum of the models that could answer.`,
      "messages",
      "context_length_exceeded",
    );
  }
  if (only.length > 0) return roomy[0]!.isAway ? serverAway(roomy[0]!) : notServed(roomy[0]!);
  return serviceUnavailable("No model that could answer is still being served.", 60, false);
};

export const serverAway = ({ id, provider }: ChatModel): ApiError =>
  serviceUnavailable(
    `${id} cannot be asked: its server (${provider}) does not answer. It is looked for every minute.`,
    60,
    false,
  );

const notServed = ({ id, shutdownDate }: ChatModel): ApiError =>
  new ApiError(
    "not_found",
    `${id} is no longer served: its provider shut it down on ${shutdownDate}. If your endpoint still serves it, set the model's \`shutdown_date\` to null in signalbox.yaml.`,
    { param: "model", code: "model_not_found" },
  );

export const ceilingUnreachable = (draft: CallDraft, candidates: readonly Candidate[], choice: ChoiceInput): ApiError =>
  ceilingBelow(
    (draft.input.besideNanoUsd ?? 0) +
      spentNanoUsd(draft) +
      Math.min(...candidates.map((candidate) => leastCostOf(candidate, choice))),
  );

export const ceilingBelow = (leastNanoUsd: number): ApiError =>
  invalidRequest(
    `max_cost_per_call is too low: the cheapest possible call costs ${usdText(leastNanoUsd)} USD.`,
    "max_cost_per_call",
    "cost_ceiling_unreachable",
  );
