/** One configured upstream of any wire dialect: chat, streamed chat, embeddings and its list of models. */

import { type Dialect, isOpenAiDialect, type ProviderEntry, type SpokenDialect, spokenDialect } from "../catalog/model.ts";
import type { Timeouts } from "../config/defaults.ts";
import { cutAtStop } from "./cut-at-stop.ts";
import type { EmbedCall, WireDialect } from "./dialect/wire-dialect.ts";
import { type Outcome, outcomeOfFailure } from "./health/model-breaker.ts";
import { LOCAL_OPENAI_SERVERS } from "./local/local-servers.ts";
import { estimatedTokens } from "./openai/embed.ts";
import { pairCalls } from "./pair-calls.ts";
import {
  type CallContext,
  type ChatRequest,
  type EmbeddingInput,
  type EmbeddingResult,
  noUsage,
  type Provider,
  type TakeEvents,
  type Vector,
} from "./provider.ts";
import { renameTools } from "./rename-tools.ts";
import { setThoughtsApart } from "./set-thoughts-apart.ts";
import { tellCallsApart } from "./tell-calls-apart.ts";
import { readTextCalls } from "./text-calls/read-text-calls.ts";
import { createCollector } from "./upstream/answer-forms.ts";
import { callJson, openUpstream } from "./upstream/call-upstream.ts";
import { saysBoundSpent } from "./upstream/refusal-phrases.ts";
import { tellAnswer } from "./upstream/tell-answer.ts";
import { type ChatProviderOptions, createUpstreamChannel, type UpstreamChannel } from "./upstream/upstream-channel.ts";
import type { AnswerForm } from "./upstream/upstream-request.ts";
import { UpstreamError, withUsage } from "./upstream-error.ts";
import { WIRE_DIALECTS } from "./wire-dialects.ts";

export type { ChatProviderOptions } from "./upstream/upstream-channel.ts";

/** `dialect`: one that an upstream speaks. */
const wireOf = (dialect: Dialect | null): WireDialect => WIRE_DIALECTS[dialect as SpokenDialect];

/** Gap: the first-byte deadline suits a whole answer of this many tokens. */
const TOKENS_IN_TIME = 4096;
const MOST_PATIENCE = 4;

/** A whole answer's first byte comes when its last token is made, so a larger output bound extends the deadline, within reason. */
const patience = ({ maxOutputTokens = 0 }: ChatRequest): number =>
  Math.min(MOST_PATIENCE, Math.max(1, maxOutputTokens / TOKENS_IN_TIME));

/** Some vendors refuse a request once its model has thought until its bound; for others that is an answer without words. */
const isWithoutWords = (error: unknown): boolean =>
  error instanceof UpstreamError && error.kind === "bad_request" && saysBoundSpent(error.details.upstreamMessage ?? "");
/** The longest input of any embedding model. Splitting a batch of no more tokens would not help. */
const LONGEST_INPUT_TOKENS = 8192;

/** Vendors also limit the tokens of one request: Mistral to 16,384, OpenAI to 300,000. */
const holdsTooMuch = (error: unknown, batch: readonly EmbeddingInput[]): boolean =>
  error instanceof UpstreamError &&
  error.kind === "context_length" &&
  batch.length > 1 &&
  estimatedTokens(batch) > LONGEST_INPUT_TOKENS;

/** Sends batches of the provider's size, one after the other, and smaller ones once it refuses a batch for its number of tokens. */
const embedBy =
  <Input extends EmbeddingInput>(
    channel: UpstreamChannel,
    { batchSize, parse }: NonNullable<WireDialect["embed"]>,
    provider: string,
    build: (model: string, inputs: Input[], dimensions: number | undefined) => EmbedCall,
  ) =>
  async (model: string, inputs: Input[], dimensions: number | undefined, context: CallContext): Promise<EmbeddingResult> => {
    const vectors: Vector[] = [];
    let inputTokens = 0;
    let size = batchSize;
    while (vectors.length < inputs.length) {
      const batch = inputs.slice(vectors.length, vectors.length + size);
      const { path, body } = build(model, batch, dimensions);
      try {
        const answer = await channel.withKey(model, (key) =>
          callJson({ ...channel.toRequest(path, key, context, "whole", { text: JSON.stringify(body) }), resend: true }),
        );
        const result = parse(answer, batch, provider, dimensions);
        vectors.push(...result.vectors);
        inputTokens += result.inputTokens;
      } catch (error) {
        // The provider has been paid for the batches before.
        if (!holdsTooMuch(error, batch))
          throw withUsage(error, inputTokens > 0 ? { ...noUsage(), input: inputTokens } : undefined);
        size = Math.ceil(batch.length / 2);
      }
    }
    return { vectors, inputTokens };
  };

/** Of an entry with one of these dialects. Throws for a base URL that is none. */
export const createChatProvider = (entry: ProviderEntry, options: ChatProviderOptions): Provider => {
  const dialect = wireOf(entry.dialect);
  const channel = createUpstreamChannel(entry, dialect, options);
  /**
   * A model may need the other of OpenAI's two formats than its provider, in general or for calls with tools. A server that stands in for
   * the vendor may not know it, so it gets chat completions unless the operator says otherwise (decisions §11).
   */
  const dialectFor = (model: string, request: ChatRequest): WireDialect =>
    wireOf(spokenDialect(entry.dialect, options.quirksOf(model), options.isVendors ? request : {}));
  /** Vendors read the calls of their own models. */
  const leavesCalls = entry.runsOpenModels === true || (!options.isVendors && isOpenAiDialect(entry.dialect));
  const timeoutsOf = (model: string): Timeouts => {
    const firstByteMs = options.quirksOf(model)?.firstByteMs;
    return firstByteMs === undefined ? options.timeouts : { ...options.timeouts, firstByteMs };
  };
  /** Asks for an answer in one form, and tells it in events, whichever form it comes in. */
  const ask = async (
    form: AnswerForm,
    model: string,
    asked: ChatRequest,
    context: CallContext,
    take: TakeEvents,
  ): Promise<void> => {
    const spoken = dialectFor(model, asked);
    const { request, restoring } = renameTools(pairCalls(asked), spoken.toolNames);
    const path = spoken.chatPath(model, form === "stream");
    const timeouts = timeoutsOf(model);
    const answerWithinMs = timeouts.firstByteMs * (form === "whole" ? patience(request) : 1);
    const open = () =>
      channel.send(spoken, model, request, form, (body, key) =>
        openUpstream({ ...channel.toRequest(path, key, context, form, body), timeouts, answerWithinMs }),
      );
    const restored = restoring(take);
    const taking = leavesCalls ? readTextCalls(restored, request) : restored;
    const told = tellCallsApart(setThoughtsApart(cutAtStop(taking, request.stop), request));
    const quirks = options.quirksOf(model) ?? {};
    const startedAt = performance.now();
    const record = (outcome: Outcome): void => options.health.record(entry.id, model, outcome);
    try {
      const reading = { provider: entry.name, request, quirks, dialect: spoken, form, hear: context.hear };
      const isOver = await tellAnswer(open, reading, told);
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
    async listModels(context) {
      return dialect.parseList(
        await channel.withKey("", (key) => callJson(channel.toRequest(dialect.listPath, key, context, "whole"))),
      );
    },
    ...(dialect.embed && { embed: embedBy(channel, dialect.embed, entry.name, dialect.embed.build) }),
    ...(dialect.embed?.buildTokens && {
      embedTokens: embedBy(channel, dialect.embed, entry.name, dialect.embed.buildTokens),
    }),
  };
};
