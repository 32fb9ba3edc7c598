/** One configured upstream of any wire dialect: chat, streamed chat, embeddings and its list of models. */

import { type Dialect, isOpenAiDialect, type ProviderEntry, type SpokenDialect, spokenDialect } from "../catalog/model.ts";
import type { Timeouts } from "../config/defaults.ts";
import { cutEvents, cutResult } from "./cut-at-stop.ts";
import type { EmbedCall, ReadOptions, WireDialect } from "./dialect/wire-dialect.ts";
import type { Outcome } from "./health/model-breaker.ts";
import { LOCAL_OPENAI_SERVERS } from "./local/local-servers.ts";
import { estimatedTokens } from "./openai/embed.ts";
import { pairCalls } from "./pair-calls.ts";
import {
  type CallContext,
  type ChatRequest,
  type ChatResult,
  type EmbeddingInput,
  type EmbeddingResult,
  noUsage,
  type Provider,
  type Vector,
} from "./provider.ts";
import { renameTools } from "./rename-tools.ts";
import { eventsApart, thoughtsApart } from "./set-thoughts-apart.ts";
import { callEventsApart, callsApart } from "./tell-calls-apart.ts";
import { callEventsFromText, callsFromText } from "./text-calls/read-text-calls.ts";
import { callJson, openUpstream } from "./upstream/call-upstream.ts";
import { saysBoundSpent } from "./upstream/refusal-phrases.ts";
import { readAnswer, type StreamEnd, streamEvents } from "./upstream/stream-events.ts";
import { type ChatProviderOptions, createUpstreamChannel, type UpstreamChannel } from "./upstream/upstream-channel.ts";
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

const outcomeOf = (end: StreamEnd, startedAt: number, call: string): Outcome => {
  if (end.ok === true) return { ok: true, latencyMs: Math.round(performance.now() - startedAt) };
  if (end.ok === "abandoned" || !(end.error instanceof UpstreamError)) return { ok: "aborted" };
  return { ok: false, kind: end.error.kind, retryAfterMs: end.error.details.retryAfterMs, call };
};

/** Some vendors refuse a request once its model has thought until its bound; for others that is an answer without words. */
const isWithoutWords = (error: unknown): boolean =>
  error instanceof UpstreamError && error.kind === "bad_request" && saysBoundSpent(error.details.upstreamMessage ?? "");
const withoutWords = (): ChatResult => ({
  text: "",
  toolCalls: [],
  finishReason: "length",
  usage: noUsage(),
  usageSource: "none",
});

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
  const readOptions = (model: string, request: ChatRequest): ReadOptions => ({
    provider: entry.name,
    request,
    quirks: options.quirksOf(model) ?? {},
  });
  const timeoutsOf = (model: string): Timeouts => {
    const firstByteMs = options.quirksOf(model)?.firstByteMs;
    return firstByteMs === undefined ? options.timeouts : { ...options.timeouts, firstByteMs };
  };
  /** Returns the function to call with how the call ended. */
  const watchHealth = (model: string, { requestId }: CallContext): ((end: StreamEnd) => void) => {
    const startedAt = performance.now();
    return (end) => options.health.record(entry.id, model, outcomeOf(end, startedAt, requestId));
  };

  return {
    takesBytesOnly: dialect.takesBytesOnly || LOCAL_OPENAI_SERVERS.some(({ id }) => id === entry.id),
    takesTools: (model) =>
      options.isVendors ||
      spokenDialect(entry.dialect, options.quirksOf(model), { tools: ["any"] }) ===
        spokenDialect(entry.dialect, options.quirksOf(model)),
    async chat(model, asked, context) {
      const onEnd = watchHealth(model, context);
      const spoken = dialectFor(model, asked);
      const { request, toResult } = renameTools(pairCalls(asked), spoken.toolNames);
      const path = spoken.chatPath(model, false);
      const answerWithinMs = timeoutsOf(model).firstByteMs * patience(request);
      try {
        const call = await channel.send(spoken, model, request, "whole", (body, key) =>
          openUpstream({ ...channel.toRequest(path, key, context, "whole", body), answerWithinMs }, false),
        );
        const result = await readAnswer(call, spoken, readOptions(model, request), context.hear);
        onEnd({ ok: true });
        const answer = cutResult(thoughtsApart(result, request), request.stop);
        return toResult(callsApart(leavesCalls ? callsFromText(answer, request) : answer));
      } catch (error) {
        onEnd({ ok: false, error });
        if (isWithoutWords(error)) return withoutWords();
        throw error;
      }
    },
    async streamChat(model, asked, context, take) {
      const spoken = dialectFor(model, asked);
      const { request, toEvents } = renameTools(pairCalls(asked), spoken.toolNames);
      const path = spoken.chatPath(model, true);
      const timeouts = timeoutsOf(model);
      const open = () =>
        channel.send(spoken, model, request, "stream", (body, key) =>
          openUpstream({ ...channel.toRequest(path, key, context, "stream", body), timeouts }, true),
        );
      const taking = leavesCalls ? callEventsFromText(toEvents(take), request) : toEvents(take);
      const told = callEventsApart(eventsApart(cutEvents(taking, request.stop), request));
      try {
        await streamEvents(open, spoken, readOptions(model, request), told, watchHealth(model, context));
      } catch (error) {
        if (!isWithoutWords(error)) throw error;
        await told([{ type: "finish", reason: "length" }]);
      }
    },
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
