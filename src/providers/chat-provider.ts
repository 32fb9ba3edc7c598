/** One configured upstream of any wire dialect: chat, streamed chat, embeddings and its list of models. */

import { type Dialect, type ProviderEntry, type SpokenDialect, spokenDialect } from "../catalog/model.ts";
import type { WireDialect } from "./dialect/wire-dialect.ts";
import { embedInBatches } from "./embed-in-batches.ts";
import { type Outcome, outcomeOfFailure } from "./health/model-breaker.ts";
import { LOCAL_OPENAI_SERVERS } from "./local/local-servers.ts";
import { mendAnswersOf } from "./mend-answer.ts";
import { pairCalls } from "./pair-calls.ts";
import { picturesToUser } from "./pictures-to-user.ts";
import type { CallContext, ChatRequest, Provider, TakeEvents } from "./provider.ts";
import { renameTools } from "./rename-tools.ts";
import { uniqueTools } from "./unique-tools.ts";
import { createCollector } from "./upstream/collect-answer.ts";
import { patience } from "./upstream/patience.ts";
import { says } from "./upstream/refusal-phrases.ts";
import { tellAnswer } from "./upstream/tell-answer.ts";
import { type ChatProviderOptions, createUpstreamChannel } from "./upstream/upstream-channel.ts";
import type { AnswerForm } from "./upstream/upstream-request.ts";
import { UpstreamError } from "./upstream-error.ts";
import { WIRE_DIALECTS } from "./wire-dialects.ts";

/** `dialect`: one that an upstream speaks. */
const wireOf = (dialect: Dialect | null): WireDialect => WIRE_DIALECTS[dialect as SpokenDialect];

/** Gap: a whole answer of so many tokens comes within the first-byte deadline. */
const TOKENS_IN_TIME = 4096;

/** Some vendors refuse a request once its model has thought until its bound; for others that is an answer without words. */
const isWithoutWords = (error: unknown): boolean =>
  error instanceof UpstreamError && error.kind === "bad_request" && says("bound spent", error.details.upstreamMessage ?? "");

/** Of an entry with one of these dialects. */
export const createChatProvider = (entry: ProviderEntry, options: ChatProviderOptions): Provider => {
  const dialect = wireOf(entry.dialect);
  const channel = createUpstreamChannel(entry, dialect, options);
  /**
   * A model may need the other of OpenAI's two formats than its provider, in general or for calls with tools. A server that stands in for
   * the vendor may not know it, so it gets chat completions unless the operator says otherwise (decisions §11).
   */
  const dialectFor = (model: string, request: ChatRequest): WireDialect =>
    wireOf(spokenDialect(entry.dialect, options.quirksOf(model), options.isVendors ? request : {}));
  const mend = mendAnswersOf(entry, options.isVendors);

  /** Asks for an answer in one form, and tells it in events, whichever form it comes in. */
  const ask = async (
    form: AnswerForm,
    model: string,
    asked: ChatRequest,
    context: CallContext,
    take: TakeEvents,
  ): Promise<void> => {
    const spoken = dialectFor(model, asked);
    const { request, restoring } = renameTools(uniqueTools(pairCalls(picturesToUser(asked))), spoken.toolNames);
    const quirks = options.quirksOf(model) ?? {};
    const times = form === "whole" ? patience(request.maxOutputTokens, TOKENS_IN_TIME) : 1;
    const open = () => channel.open({ dialect: spoken, model, request, form, patience: times }, context);
    const told = mend(restoring(take), request);
    const startedAt = performance.now();
    const record = (outcome: Outcome): void => options.health.record(entry.id, model, outcome);
    try {
      const about = { provider: entry.name, request, quirks, dialect: spoken, form, hear: context.hear };
      const isOver = await tellAnswer(open, about, told);
      record(isOver ? { ok: true, latencyMs: Math.round(performance.now() - startedAt) } : { ok: "aborted" });
    } catch (error) {
      record(outcomeOfFailure(error, false, context.requestId));
      if (!isWithoutWords(error)) throw error;
      await told([{ type: "finish", reason: "length" }]);
    }
  };

  return {
    takesBytesOnly: dialect.takesBytesOnly || LOCAL_OPENAI_SERVERS.some(({ id }) => id === entry.id),
    takesTools: (model) =>
      options.isVendors ||
      spokenDialect(entry.dialect, options.quirksOf(model), { tools: ["any"] }) ===
        spokenDialect(entry.dialect, options.quirksOf(model)),
    async chat(model, asked, context) {
      const { result, take } = createCollector();
      await ask("whole", model, asked, context, take);
      return result;
    },
    streamChat: (model, asked, context, take) => ask("stream", model, asked, context, take),
    listModels: async (context) => dialect.parseList(await channel.json(dialect.listPath, context)),
    ...(dialect.embed && {
      embed: embedInBatches(channel, dialect.embed, entry.name),
      embedsTokens: dialect.embed.takesTokens,
    }),
  };
};
