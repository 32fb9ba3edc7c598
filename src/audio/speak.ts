/** The story of one text-to-speech request: the bytes pass through as they come; the ledger's row is written before the last of them. */

import type { Caller } from "../accounts/authenticate.ts";
import { ApiError } from "../api-error.ts";
import { type SpeechModel, speechNanoUsd } from "../catalog/media-models.ts";
import { endNow } from "../lib/clock.ts";
import { latencyMsOf } from "../logs/call.ts";
import { makeForPrompt, type Routed } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { SpeechRequest } from "../providers/media-calls.ts";
import type { CallContext, Provider } from "../providers/provider.ts";
import type { TargetAttempt, TargetsOutcome } from "../providers/targets/targets-call.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";
import { UpstreamError } from "../providers/upstream-error.ts";

export type SpeechOrder = SpeechRequest & {
  model: SpeechModel;
  userId?: string;
  signal: AbortSignal;
};
type SpeechAnswer = { audio: ReadableStream<Uint8Array>; model: string; costNanoUsd: number; latencyMs: number };

export const SPEECH_PATH = "/v1/audio/speech";
/** More than the speech of the longest text; an upstream that never ends is cut here. */
const AUDIO_BYTES = 200_000_000;

/** Resolves with the first bytes. Throws 400 or 503 before them; a later failure breaks the stream. */
export const speak = async (platform: Platform, caller: Caller, order: SpeechOrder): Promise<SpeechAnswer> => {
  const costNanoUsd = speechNanoUsd(order.model, order.input);
  const asked = {
    route: SPEECH_PATH,
    model: order.model,
    texts: [order.input],
    userId: order.userId,
    asked: { voice: order.voice, response_format: order.format, speed: order.speed },
    estimateNanoUsd: costNanoUsd,
  };
  const { call, attempts, value } = await makeForPrompt(platform, caller, asked, ({ prompt: input, targets }) =>
    makeSpeech(platform, caller, { ...order, input, targets }),
  );
  const audio = passThrough(value, async (end, sizeBytes) => {
    const outputText = `${sizeBytes} bytes of ${order.format}`;
    // The upstream bills the whole text once it has begun; if it breaks off itself, the caller is not charged.
    if (end === "broken")
      await call.end({
        attempts: attempts.map(brokenOff),
        status: 503,
        error: brokenSpeech(),
        costNanoUsd: 0,
        outputText,
        streamed: true,
      });
    else await call.end({ attempts, status: 200, cancelled: end === "cancelled", costNanoUsd, outputText, streamed: true });
  });
  return {
    audio,
    model: order.model.id,
    costNanoUsd,
    latencyMs: latencyMsOf({ startedAtMs: caller.startedAtMs, completedAtMs: endNow(platform.clock, caller) }),
  };
};

/** Marks the attempt that had begun as failed. */
export const brokenOff = (attempt: TargetAttempt): TargetAttempt =>
  attempt.success ? { ...attempt, success: false, failure: "truncated" } : attempt;

export const brokenSpeech = () => new ApiError("service_unavailable", "The upstream broke off the audio.");

type OpenSpeech = { first: Uint8Array; rest: ReadableStreamDefaultReader<Uint8Array> };

/** Awaits the first piece, so that an upstream that fails or stays silent can still be replaced by another. */
export const makeSpeech = (platform: Platform, caller: Caller, order: Routed<SpeechOrder>): Promise<TargetsOutcome<OpenSpeech>> =>
  tryTargets(platform, {
    caller,
    signal: order.signal,
    what: order.model.id,
    targets: order.targets,
    service: "speech",
    use: async (provider, target, context) =>
      open(provider, target.model, { ...order, voice: target.voices?.[order.voice] ?? order.voice }, context),
  });

const open = async (provider: Provider, model: string, order: SpeechRequest, context: CallContext): Promise<OpenSpeech> => {
  const { input, voice, format, speed } = order;
  const rest = (await provider.speech!(model, { input, voice, format, speed }, context)).getReader();
  for (;;) {
    const { done, value } = await rest.read();
    if (done) throw new UpstreamError("server", "The upstream sent no audio.", { accepted: true });
    if (value.length > 0) return { first: value, rest };
  }
};

type End = "complete" | "cancelled" | "broken";

/** `onEnd` is awaited before the stream closes, and called once. */
export const passThrough = (
  { first, rest }: OpenSpeech,
  onEnd: (end: End, sizeBytes: number) => Promise<void> = async () => {},
): ReadableStream<Uint8Array> => {
  let waiting: Uint8Array | undefined = first;
  let sizeBytes = 0;
  let ended = false;
  const finish = async (end: End) => {
    if (ended) return;
    ended = true;
    await onEnd(end, sizeBytes);
  };
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const piece: Uint8Array | undefined = waiting ?? (await rest.read()).value;
        waiting = undefined;
        if (piece === undefined) {
          await finish("complete");
          return controller.close();
        }
        sizeBytes += piece.length;
        if (sizeBytes > AUDIO_BYTES) throw new Error("The upstream's audio does not end.");
        controller.enqueue(piece);
      } catch (error) {
        await rest.cancel().catch(() => {});
        await finish("broken");
        controller.error(error);
      }
    },
    cancel: async () => {
      // First, because a pending read ends without data once the upstream is released, which would look like the end.
      const ended = finish("cancelled");
      await rest.cancel().catch(() => {});
      await ended;
    },
  });
};
