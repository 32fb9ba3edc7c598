/**
 * Fetches what an upstream made from the URL it named, through the outbound guard; an expired or refused link is the upstream's failure.
 * A `data:` URL contains the result itself.
 */

import { ApiError } from "../api-error.ts";
import { fetchGuarded, TOO_LARGE } from "../http/outbound-guard.ts";
import type { Platform } from "../platform.ts";
import { parseDataUrl } from "./dialect/message-parts.ts";
import type { CallContext } from "./provider.ts";
import { UpstreamError } from "./upstream-error.ts";

type ResultToFetch = { url: string; headers?: Record<string, string>; maxBytes: number };

/** Throws UpstreamError; a result that is too large is not retried. */
export const fetchResult = async (
  platform: Platform,
  providerId: string,
  { url, headers, maxBytes }: ResultToFetch,
  context: Pick<CallContext, "signal" | "remainingMs">,
): Promise<Uint8Array> => {
  const inline = parseDataUrl(url);
  if (inline !== undefined) return new Uint8Array(Buffer.from(inline.data, "base64"));
  const connection = platform.providers.connections().find(({ entry }) => entry.id === providerId);
  try {
    const { bytes } = await fetchGuarded(platform, url, {
      maxBytes,
      timeoutMs: Math.max(1, context.remainingMs),
      param: "result",
      signal: context.signal,
      ...(headers !== undefined && { headers }),
      // An upstream that the operator runs on this machine may serve its results from there.
      ...(connection !== undefined && { allowedHosts: [new URL(connection.baseUrl).host] }),
    });
    return bytes;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UpstreamError("server", `The upstream's result could not be fetched: ${error.message}`, {
      accepted: true,
      ...(error.options.code === TOO_LARGE && { shouldRetry: false }),
    });
  }
};
