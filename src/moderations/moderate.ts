/** The story of one moderation: whether texts and pictures are harmful, as the first configured upstream of the model judges. */

import type { Caller } from "../accounts/authenticate.ts";
import type { ModerationModel } from "../catalog/media-models.ts";
import { estimateTokens } from "../lib/estimate-tokens.ts";
import { type Served, servePromptCall } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { ModerationRequest, ModerationResult, ModerationVerdict } from "../providers/media-calls.ts";
import type { ReadTokens } from "../providers/targets/targets-call.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";

export type ModerationOrder = {
  model: ModerationModel;
  request: ModerationRequest;
  userId?: string;
  signal: AbortSignal;
};

export type ModerationAnswer = {
  /** In the order of the inputs. */
  verdicts: ModerationVerdict[];
  model: string;
  tokens: ReadTokens;
  costNanoUsd: number;
};

export const MODERATION_PATH = "/v1/moderations";

/** Throws 400, 403 or 503. */
export const moderate = (platform: Platform, caller: Caller, order: ModerationOrder): Promise<Served<ModerationAnswer>> => {
  const { model, request, userId, signal } = order;
  const texts = textsOf(request);
  return servePromptCall(platform, caller, {
    route: MODERATION_PATH,
    model,
    texts,
    userId,
    asked: "texts" in request ? { inputs: texts.length } : { pictures: request.parts.length - texts.length },
    estimateNanoUsd: tokensOf(texts) * model.nanoUsdPerToken,
    make: ({ texts: reviewed, targets }) =>
      tryTargets(platform, {
        caller,
        signal,
        what: model.id,
        targets,
        service: "moderate",
        use: async (provider, target, context) =>
          toAnswer(model, reviewed, await provider.moderate!(target.model, withTexts(request, reviewed), context)),
      }),
    settle: ({ verdicts, tokens }) => ({ outputText: verdicts.map(inWords).join("\n"), tokens }),
  });
};

const textsOf = (request: ModerationRequest): readonly string[] =>
  "texts" in request ? request.texts : request.parts.flatMap((part) => (part.type === "text" ? part.text : []));

const tokensOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0);

/** `texts`: as policies allow them. */
const withTexts = (request: ModerationRequest, texts: readonly string[]): ModerationRequest => {
  if ("texts" in request) return { texts };
  let next = 0;
  return { parts: request.parts.map((part) => (part.type === "text" ? { ...part, text: texts[next++]! } : part)) };
};

const inWords = ({ flagged, categories }: ModerationVerdict): string => {
  const names = Object.keys(categories).filter((name) => categories[name]);
  return flagged ? `flagged: ${names.join(", ")}` : "not flagged";
};

/** What the upstream did not count is estimated from the `texts`. */
const toAnswer = (
  model: ModerationModel,
  texts: readonly string[],
  { verdicts, tokens: counted }: ModerationResult,
): ModerationAnswer => {
  const tokens: ReadTokens =
    counted === undefined ? { read: tokensOf(texts), source: "estimated" } : { read: counted, source: "provider" };
  return { verdicts, model: model.id, tokens, costNanoUsd: tokens.read * model.nanoUsdPerToken };
};
