/** A request to a provider, made by call-upstream.ts. */

import type { Timeouts } from "../../config/defaults.ts";
import type { CallContext } from "../provider.ts";
import type { Transport } from "../transport/transport.ts";
import type { MapError } from "./upstream-failure.ts";

export type AnswerForm = "whole" | "stream";

export type UpstreamRequest = {
  /** The provider's display name, for messages. */
  provider: string;
  url: string;
  /** Absent: a GET without a body, a POST with one. */
  method?: "PUT";
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  transport: Transport;
  timeouts: Timeouts;
  context: Pick<CallContext, "signal" | "remainingMs" | "reached">;
  /** Reads the dialect's error bodies; without it the status decides. */
  mapError?: MapError;
  /** The form in which the answer is asked for; absent: whole. */
  form?: AnswerForm;
  /** Deadline for the headers. Absent: for a stream `firstByteMs`; for a whole answer, which begins when it is done, the whole call's time. */
  answerWithinMs?: number;
  /** Uses a new connection, which cannot be stale: for requests that create something at the upstream. */
  once?: boolean;
  /** Sent once more if the connection closes before the first byte: for callers that have no retry of their own. */
  resend?: boolean;
};
