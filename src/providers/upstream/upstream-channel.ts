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
import { callJson, openUpstream } from "./call-upstream.ts";
import type { ProviderKey } from "./key-ring.ts";
import { createLearnedParameters } from "./learned-parameters.ts";
import type { OpenCall } from "./open-call.ts";
import { rotateKeys } from "./rotate-keys.ts";
import type { AnswerForm } from "./upstream-request.ts";

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

/** `patience`: how many times the usual deadline its first byte may take. */
type Call = { model: string; patience: number };
type ChatCall = Call & { dialect: WireDialect; request: ChatRequest; form: AnswerForm };

export type UpstreamChannel = {
  /**
   * Opens a chat call in the given dialect. A parameter that the model refuses is left out and the request sent again. If that succeeds, the
   * refusal is remembered for all calls, or for those with the same schemas; otherwise the error may only have quoted the caller.
   */
  open(call: ChatCall, context: CallContext): Promise<OpenCall>;
  /** Makes any other call and returns its JSON; a GET if it posts nothing. */
  json(path: string, context: CallContext, posted?: Call & { body: object }): Promise<unknown>;
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

type Headers = Record<string, string>;

/** Built once per key. No compression, because compressed streams arrive in bursts. */
const headersByKey = (keys: readonly ProviderKey[], dialect: WireDialect, extra: Headers) =>
  new Map(
    keys.map(({ id, key }) => {
      const whole = { "content-type": "application/json", ...dialect.headers(key), ...extra };
      return [id, { whole, stream: { ...whole, "accept-encoding": "identity" } }] as const;
    }),
  );

/** Those of the key win over those of the request; nearly always there are no others. */
const withMore = (ofKey: Headers, { traceparent }: CallContext, more?: Headers): Headers =>
  traceparent || more ? { ...more, ...ofKey, ...(traceparent && { traceparent }) } : ofKey;

export const createUpstreamChannel = (
  entry: ProviderEntry,
  dialect: WireDialect,
  options: ChatProviderOptions,
): UpstreamChannel => {
  const baseUrl = dialect.baseUrl(options.baseUrl);
  const keys = options.keys.length > 0 ? options.keys : [{ id: "none", key: "", weight: 1 }];
  const headers = headersByKey(keys, dialect, options.headers);
  const learned = createLearnedParameters();
  const kept: KeptSizes = new Map();

  const withKey = rotateKeys(entry.name, keys, { clock: options.clock, onRefused: options.onKeyRefused });

  const toRequest = (path: string, { id }: ProviderKey, form: AnswerForm, context: CallContext, more?: Headers) => ({
    provider: entry.name,
    url: baseUrl + path,
    headers: withMore(headers.get(id)![form], context, more),
    transport: options.transport,
    timeouts: options.timeouts,
    form,
    context,
  });

  /** With the headers that go with it. */
  const write = ({ dialect, model, request, form }: ChatCall, leftOut: ReadonlySet<string>): [body: string, Headers?] => {
    const quirks = options.quirksOf(model) ?? {};
    const contextWindow = options.contextWindowOf(model);
    const body = dialect.buildRequest(model, request, { stream: form === "stream", quirks, contextWindow });
    for (const param of messagesLast(leftOut)) dialect.dropParameter(body, param);
    dialect.keepContext?.(body, kept, options.clock.now());
    const more = dialect.takeHeaders?.(body);
    return [bodyText(body), more];
  };

  return {
    async open(call, context) {
      const { dialect, model, request, form, patience } = call;
      const { firstByteMs = options.timeouts.firstByteMs } = options.quirksOf(model) ?? {};
      const answering = { answerWithinMs: firstByteMs * patience, mapError: dialect.mapError };
      const path = dialect.chatPath(model, form === "stream");
      /** Refused during this call. */
      const refused = new Map<string, Refusal>();
      for (let lessons = MAX_LESSONS; ; lessons--) {
        const leftOut = new Set([...learned.of(model, call), ...refused.keys()].filter((param) => !isNeeded(request, param)));
        const [body, more] = write(call, leftOut);
        try {
          const opened = await withKey(model, (key) =>
            openUpstream({ ...toRequest(path, key, form, context, more), ...answering, body }),
          );
          for (const refusal of refused.values()) learned.learn(model, call, refusal);
          return opened;
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
    json(path, context, posted) {
      const { model = "", patience = 1, body } = posted ?? {};
      const sent = body && { body: JSON.stringify(body) };
      const answering = { answerWithinMs: options.timeouts.firstByteMs * patience, mapError: dialect.mapError, resend: true };
      return withKey(model, (key) => callJson({ ...toRequest(path, key, "whole", context), ...answering, ...sent }));
    },
  };
};
