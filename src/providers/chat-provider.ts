/** One configured upstream of any wire dialect: keys, learned parameters, health and the dialect's pure functions put together. */

import type { ModelQuirks, ProviderEntry } from "../catalog/model.ts";
import { anthropicDialect } from "./anthropic/anthropic-dialect.ts";
import { callJson, openUpstream, type UpstreamRequest } from "./call-upstream.ts";
import { googleDialect } from "./google/google-dialect.ts";
import type { Health, Outcome } from "./health.ts";
import { createKeyRing, type KeyRing, type ProviderKey } from "./key-ring.ts";
import { createLearnedParameters } from "./learned-parameters.ts";
import { ollamaDialect } from "./ollama/ollama-dialect.ts";
import { openAiDialect } from "./openai/openai-dialect.ts";
import { type CallContext, type ChatRequest, type EmbeddingResult, type Provider, UpstreamError } from "./provider.ts";
import { type StreamEnd, streamEvents } from "./stream-events.ts";
import { failureMessage } from "./upstream-failure.ts";
import type { Timeouts } from "./watch-deadlines.ts";
import type { ReadOptions, WireDialect } from "./wire-dialect.ts";

export type ChatProviderOptions = {
  baseUrl: string;
  /** Empty for servers without authentication. */
  keys: readonly ProviderKey[];
  /** Added to every request; they beat the dialect's own. */
  headers?: Record<string, string>;
  timeouts: Timeouts;
  quirksOf(model: string): ModelQuirks | undefined;
  /** Tokens a model can hold, where known; Ollama sizes its context by it. */
  contextWindowOf?(model: string): number | undefined;
  /** Told the outcome of every chat call, once, after keys and parameters have been tried. */
  health?: Health;
  clock?: { now(): number };
};

const DIALECTS: Record<string, WireDialect> = {
  openai: openAiDialect,
  anthropic: anthropicDialect,
  google: googleDialect,
  ollama: ollamaDialect,
};

/** Gap: the first-byte time is enough for this many tokens of a whole answer. */
const TOKENS_IN_TIME = 4096;
const MOST_PATIENCE = 4;

/** How many parameters one call may find out to be refused. */
const MAX_LESSONS = 4;

const checkedBaseUrl = (entry: ProviderEntry, dialect: WireDialect, configured: string): string => {
  const { protocol } = new URL(configured);
  // Bun's fetch would read files and buckets too.
  if (protocol !== "https:" && protocol !== "http:")
    throw new Error(`The base URL of ${entry.id} must begin with https:// or http://.`);
  return dialect.baseUrl(configured.replace(/\/{1,8}$/, ""));
};

const noKeyError = (provider: string, ring: KeyRing, now: number): UpstreamError =>
  ring.isLockedOut()
    ? new UpstreamError("auth", failureMessage(provider, "auth"))
    : new UpstreamError("rate_limit", failureMessage(provider, "rate_limit"), {
        retryAfterMs: Math.max(0, ring.availableAt() - now),
      });

/** Tries one key after the other, as long as it is the key that fails. */
const tryKeys = async <T>(
  provider: string,
  ring: KeyRing,
  tries: number,
  now: () => number,
  attempt: (key: ProviderKey) => Promise<T>,
): Promise<T> => {
  for (let left = tries; ; left--) {
    const key = ring.next();
    if (!key) throw noKeyError(provider, ring, now());
    try {
      return await attempt(key);
    } catch (error) {
      const concernsKey = error instanceof UpstreamError && ring.reportFailure(key.id, error);
      if (!concernsKey || left <= 1 || ring.availableAt() !== 0) throw error;
    }
  }
};

const outcomeOf = (end: StreamEnd, startedAt: number): Outcome => {
  if (end.ok === true) return { ok: true, latencyMs: Math.round(performance.now() - startedAt) };
  if (end.ok === "abandoned" || !(end.error instanceof UpstreamError)) return { ok: "aborted" };
  return { ok: false, kind: end.error.kind, retryAfterMs: end.error.details.retryAfterMs };
};

const recordEnd = (health: Health | undefined, provider: string, model: string, startedAt: number, end: StreamEnd): void => {
  health?.record(provider, model, outcomeOf(end, startedAt));
};

/** Throws for an entry whose dialect this is not (sandbox, local, media only) and for a base URL that is none. */
export const createChatProvider = (entry: ProviderEntry, options: ChatProviderOptions): Provider => {
  const dialect = DIALECTS[entry.dialect ?? ""];
  if (!dialect) throw new Error(`${entry.id} has no chat dialect.`);
  const baseUrl = checkedBaseUrl(entry, dialect, options.baseUrl);
  const clock = options.clock ?? { now: Date.now };
  const keys = options.keys.length > 0 ? options.keys : [{ id: "none", key: "", weight: 1 }];
  const ring = createKeyRing(keys, clock);
  const learned = createLearnedParameters();
  const quirksOf = (model: string): ModelQuirks => options.quirksOf(model) ?? {};
  const readOptions = (model: string, request: ChatRequest): ReadOptions => ({
    provider: entry.name,
    request,
    quirks: quirksOf(model),
  });

  const headersOf = new Map(
    keys.map(({ id, key }) => {
      const json = { "content-type": "application/json", ...dialect.headers(key || undefined), ...options.headers };
      // A compressed stream would arrive in bursts.
      return [id, { json, stream: { ...json, "accept-encoding": "identity" } }] as const;
    }),
  );

  /** A whole answer has its first byte when its last token is made: a larger bound gets more time, within reason. */
  const answerWithinMs = ({ maxOutputTokens = 0 }: ChatRequest): number =>
    options.timeouts.firstByteMs * Math.min(MOST_PATIENCE, Math.max(1, maxOutputTokens / TOKENS_IN_TIME));

  const upstreamRequest = (
    path: string,
    key: ProviderKey,
    context: CallContext,
    stream: boolean,
    body?: string,
  ): UpstreamRequest => {
    const headers = headersOf.get(key.id)![stream ? "stream" : "json"];
    return {
      provider: entry.name,
      url: baseUrl + path,
      method: body === undefined ? "GET" : "POST",
      headers: context.traceparent ? { ...headers, traceparent: context.traceparent } : headers,
      ...(body !== undefined && { body }),
      timeouts: options.timeouts,
      context,
      mapError: dialect.mapError,
    };
  };

  const withKey = <T>(attempt: (key: ProviderKey) => Promise<T>): Promise<T> =>
    tryKeys(entry.name, ring, keys.length, clock.now, attempt);

  const bodyOf = (model: string, request: ChatRequest, stream: boolean): string => {
    const contextWindow = options.contextWindowOf?.(model);
    const body = dialect.buildRequest(model, request, { stream, quirks: quirksOf(model), contextWindow });
    for (const param of learned.of(model)) dialect.dropParameter(body, param);
    return JSON.stringify(body);
  };

  /** Sends the request; a parameter the model refuses is left out, remembered, and the request sent again. */
  const send = async <T>(
    model: string,
    request: ChatRequest,
    stream: boolean,
    deliver: (body: string, key: ProviderKey) => Promise<T>,
  ): Promise<T> => {
    for (let lessons = MAX_LESSONS; ; lessons--) {
      const body = bodyOf(model, request, stream);
      try {
        return await withKey((key) => deliver(body, key));
      } catch (error) {
        const param = error instanceof UpstreamError && error.kind === "unsupported_param" ? error.details.param : undefined;
        if (param === undefined || lessons === 0 || !learned.learn(model, param)) throw error;
      }
    }
  };

  const embedBatch = async (
    model: string,
    inputs: string[],
    dimensions: number | undefined,
    context: CallContext,
  ): Promise<EmbeddingResult> => {
    const { path, body } = dialect.embed!.build(model, inputs, dimensions);
    const answer = await withKey((key) => callJson(upstreamRequest(path, key, context, false, JSON.stringify(body))));
    return dialect.embed!.parse(answer, inputs, entry.name);
  };

  const provider: Provider = {
    id: entry.id,
    async chat(model, request, context) {
      const startedAt = performance.now();
      let end: StreamEnd = { ok: true };
      try {
        const path = dialect.chatPath(model, false);
        const answer = await send(model, request, false, (body, key) =>
          callJson({ ...upstreamRequest(path, key, context, false, body), answerWithinMs: answerWithinMs(request) }),
        );
        return dialect.parseResponse(answer, readOptions(model, request));
      } catch (error) {
        end = { ok: false, error };
        throw error;
      } finally {
        recordEnd(options.health, entry.id, model, startedAt, end);
      }
    },
    streamChat(model, request, context) {
      const startedAt = performance.now();
      const path = dialect.chatPath(model, true);
      const open = () =>
        send(model, request, true, (body, key) => openUpstream(upstreamRequest(path, key, context, true, body), true));
      return streamEvents(open, dialect, readOptions(model, request), (end) =>
        recordEnd(options.health, entry.id, model, startedAt, end),
      );
    },
    async listModels(context) {
      return dialect.parseList(await withKey((key) => callJson(upstreamRequest(dialect.listPath, key, context, false))));
    },
  };
  if (!dialect.embed) return provider;
  return {
    ...provider,
    async embed(model, inputs, dimensions, context) {
      const { batchSize } = dialect.embed!;
      const vectors: Float32Array[] = [];
      let inputTokens = 0;
      for (let start = 0; start < inputs.length; start += batchSize) {
        const batch = await embedBatch(model, inputs.slice(start, start + batchSize), dimensions, context);
        vectors.push(...batch.vectors);
        inputTokens += batch.inputTokens;
      }
      return { vectors, inputTokens };
    },
  };
};
