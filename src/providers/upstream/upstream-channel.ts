/**
 * Sends requests to one configured chat upstream: with the key whose turn it is, and without parameters that the model has refused before.
 * Shared by everything the upstream can do.
 */

import type { ModelQuirks, ProviderEntry } from "../../catalog/model.ts";
import type { Timeouts } from "../../config/defaults.ts";
import type { Clock } from "../../lib/clock.ts";
import type { KeptSizes, WireDialect } from "../dialect/wire-dialect.ts";
import type { Health } from "../health/health.ts";
import type { CallContext, ChatRequest } from "../provider.ts";
import type { Transport } from "../transport/transport.ts";
import { type Refusal, UpstreamError } from "../upstream-error.ts";
import { bodyText } from "./body-text.ts";
import type { ProviderKey } from "./key-ring.ts";
import { createLearnedParameters } from "./learned-parameters.ts";
import { rotateKeys, type WithKey } from "./rotate-keys.ts";
import type { MapError } from "./upstream-failure.ts";
import type { AnswerForm, UpstreamRequest } from "./upstream-request.ts";

export type ChatProviderOptions = {
  baseUrl: string;
  /** False if the base URL names another server than the vendor's. */
  isVendors: boolean;
  /** Empty for servers without authentication. */
  keys: readonly ProviderKey[];
  /** Added to every request; they override the dialect's own. */
  headers: Record<string, string>;
  transport: Transport;
  timeouts: Timeouts;
  quirksOf(model: string): ModelQuirks | undefined;
  /** A model's context window in tokens, if known; Ollama is told to reserve it. */
  contextWindowOf(model: string): number | undefined;
  /** Receives the outcome of every chat call, once, after keys and parameters have been tried. */
  health: Health;
  clock: Clock;
  /** Called when the provider begins to refuse a key, with the key's id. */
  onKeyRefused?(keyId: string, error: UpstreamError): void;
};

/** A request body, its additional headers, and the reader of its errors. */
type Written = { text: string; headers?: Record<string, string>; mapError?: MapError };

export type UpstreamChannel = {
  /** One request to the upstream with one key; a GET if there is no body. */
  toRequest(path: string, key: ProviderKey, context: CallContext, form: AnswerForm, body?: Written): UpstreamRequest;
  withKey: WithKey;
  /**
   * As `withKey`, with a body in the given dialect. A parameter that the model refuses is left out and the request sent again. If that
   * succeeds, the refusal is remembered for all calls, or for those with the same schemas; otherwise the error may only have quoted the caller.
   */
  send<T>(
    dialect: WireDialect,
    model: string,
    request: ChatRequest,
    form: AnswerForm,
    attempt: (body: Written, key: ProviderKey) => Promise<T>,
  ): Promise<T>;
};

/** How many refused parameters one call may discover. */
const MAX_LESSONS = 4;

/** The parameter that was refused, if that is what went wrong. */
const unsupportedIn = (error: unknown): Partial<Refusal> =>
  error instanceof UpstreamError && error.kind === "unsupported_param" ? error.details : {};

/** Chat completions have two names for the bound, of which one replaces the other. */
const isNeeded = ({ needsBound }: ChatRequest, param: string): boolean =>
  needsBound === true && /max_?output_?tokens$/i.test(param);

/** Refusals about messages are met last, because a message is added if the prompt has to ask for a refused format. */
const messagesLast = (params: ReadonlySet<string>): string[] => {
  const isOfMessages = (param: string): number => Number(param.startsWith("messages"));
  return [...params].sort((one, other) => isOfMessages(one) - isOfMessages(other));
};

const checkedBaseUrl = (entry: ProviderEntry, dialect: WireDialect, configured: string): string => {
  const { protocol } = new URL(configured);
  // The runtime's `fetch`, used behind a proxy, would also read files and buckets.
  if (protocol !== "https:" && protocol !== "http:")
    throw new Error(`The base URL of ${entry.id} must begin with https:// or http://.`);
  return dialect.baseUrl(configured.replace(/\/{1,8}$/, ""));
};

/** Built once per key; a call adds at most the trace context. No compression, because compressed streams arrive in bursts. */
const headersByKey = (keys: readonly ProviderKey[], dialect: WireDialect, extra: Record<string, string>) =>
  new Map(
    keys.map(({ id, key }) => {
      const whole = { "content-type": "application/json", ...dialect.headers(key), ...extra };
      return [id, { whole, stream: { ...whole, "accept-encoding": "identity" } }] as const;
    }),
  );

export const createUpstreamChannel = (
  entry: ProviderEntry,
  dialect: WireDialect,
  options: ChatProviderOptions,
): UpstreamChannel => {
  const baseUrl = checkedBaseUrl(entry, dialect, options.baseUrl);
  const keys = options.keys.length > 0 ? options.keys : [{ id: "none", key: "", weight: 1 }];
  const headers = headersByKey(keys, dialect, options.headers);
  const learned = createLearnedParameters();
  const kept: KeptSizes = new Map();

  const withKey = rotateKeys(entry.name, keys, { clock: options.clock, onRefused: options.onKeyRefused });

  const write = (
    { buildRequest, dropParameter, keepContext, takeHeaders, mapError }: WireDialect,
    model: string,
    request: ChatRequest,
    stream: boolean,
    leftOut: ReadonlySet<string>,
  ): Written => {
    const quirks = options.quirksOf(model) ?? {};
    const body = buildRequest(model, request, { stream, quirks, contextWindow: options.contextWindowOf(model) });
    for (const param of messagesLast(leftOut)) dropParameter(body, param);
    keepContext?.(body, kept, options.clock.now());
    const more = takeHeaders?.(body);
    return { text: bodyText(body), ...(more && { headers: more }), mapError };
  };

  return {
    toRequest(path, key, context, form, body) {
      const ofKey = headers.get(key.id)![form];
      return {
        provider: entry.name,
        url: baseUrl + path,
        method: body === undefined ? "GET" : "POST",
        headers:
          context.traceparent || body?.headers
            ? { ...body?.headers, ...ofKey, ...(context.traceparent && { traceparent: context.traceparent }) }
            : ofKey,
        ...(body !== undefined && { body: body.text }),
        transport: options.transport,
        timeouts: options.timeouts,
        form,
        context,
        mapError: body?.mapError ?? dialect.mapError,
      };
    },
    withKey,
    async send(spoken, model, request, form, attempt) {
      /** Refused during this call. */
      const refused = new Map<string, Refusal>();
      for (let lessons = MAX_LESSONS; ; lessons--) {
        const leftOut = new Set(
          [...learned.of(model, { request, form }), ...refused.keys()].filter((param) => !isNeeded(request, param)),
        );
        const body = write(spoken, model, request, form === "stream", leftOut);
        try {
          const answer = await withKey(model, (key) => attempt(body, key));
          for (const refusal of refused.values()) learned.learn(model, { request, form }, refusal);
          return answer;
        } catch (error) {
          const { param, once } = unsupportedIn(error);
          if (param === undefined || lessons === 0 || leftOut.has(param) || isNeeded(request, param)) {
            // The size may be what failed: more than the machine's memory holds.
            if (error instanceof UpstreamError) kept.delete(model);
            throw error;
          }
          refused.set(param, { param, once });
        }
      }
    },
  };
};
