/** What is asked of a provider over the one caller (call-upstream.ts). */

import type { Timeouts } from "../../config/defaults.ts";
import type { CallContext } from "../provider.ts";
import type { Transport } from "../transport/transport.ts";
import type { MapError } from "./upstream-failure.ts";

export type UpstreamRequest = {
  /** The provider's display name, for messages. */
  provider: string;
  url: string;
  method?: "GET" | "POST" | "PUT" | "DELETE";
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  transport: Transport;
  timeouts: Timeouts;
  context: Pick<CallContext, "signal" | "remainingMs">;
  /** Reads the dialect's error bodies; without it the status decides. */
  mapError?: MapError;
  /** Until the headers of a whole answer, which come when the model is done. Absent: the whole call's time. */
  answerWithinMs?: number;
  /** Over a connection of its own, so that none can be stale: for what creates something at the upstream. */
  once?: boolean;
  /** Sent once more where a connection closes before the first byte: for callers whose story has no retry of its own. */
  resend?: boolean;
};
