/** The story of one moderation: whether texts and pictures are harmful, as the first configured upstream of the model judges. */

import type { Caller } from "../accounts/authenticate.ts";
import type { MediaTarget, ModerationModel } from "../catalog/media-models.ts";
import { estimateTokens } from "../lib/estimate-tokens.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { PromptCall } from "../media/record-prompt-call.ts";
import { type Served, servePromptCall } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { ModerationRequest, ModerationVerdict } from "../providers/media-calls.ts";
import type { TargetsOutcome } from "../providers/targets/targets-call.ts";
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
  tokens: NonNullable<PromptCall["tokens"]>;
  costNanoUsd: number;
};

export const MODERATION_PATH = "/v1/moderations";

/** Throws 400, 403 or 503. */
export const moderate = (platform: Platform, caller: Caller, order: ModerationOrder): Promise<Served<ModerationAnswer>> => {
  const { model, request, userId } = order;
  const texts = textsOf(request);
  return servePromptCall(platform, caller, {
    route: MODERATION_PATH,
    model,
    promptText: texts.join("\n").slice(0, BOUNDS.loggedTextCharacters),
    texts,
    userId,
    asked: "texts" in request ? { inputs: texts.length } : { pictures: request.parts.length - texts.length },
    estimateNanoUsd: tokensOf(texts) * model.nanoUsdPerToken,
    make: ({ texts: reviewed, targets }) =>
      askModerators(platform, caller, { ...order, request: withTexts(request, reviewed) }, targets),
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

const askModerators = async (
  platform: Platform,
  caller: Caller,
  { model, request, signal }: ModerationOrder,
  targets: readonly MediaTarget[],
): Promise<TargetsOutcome<ModerationAnswer>> => {
  const outcome = await tryTargets(platform, {
    caller,
    signal,
    what: model.id,
    targets,
    service: "moderate",
    attemptMs: platform.config.timeouts.firstByteMs,
    param: "input",
    use: (provider, target, context) => provider.moderate!(target.model, request, context),
  });
  if (!outcome.ok) return outcome;
  const { verdicts, tokens: counted } = outcome.value;
  const read = counted ?? tokensOf(textsOf(request));
  const tokens = { read, source: counted === undefined ? ("estimated" as const) : ("provider" as const) };
  return { ...outcome, value: { verdicts, model: model.id, tokens, costNanoUsd: read * model.nanoUsdPerToken } };
};
