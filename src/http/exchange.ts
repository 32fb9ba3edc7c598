/** What is known about a request before any route has seen it. Kept beside the request, so that errors can be rendered for it too. */

import type { ApiKey } from "../accounts/api-key.ts";
import type { Project } from "../accounts/project.ts";
import type { Operator } from "../history/author.ts";
import type { Beginning } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";

type Exchange = Beginning & {
  /** Also the log's `call_id`, if the request becomes a call. */
  requestId: string;
  path: string;
  ip: string | null;
  /** Set by the dashboard for the signed-in operator, in place of a key. No client can set it. */
  vouched?: { key: ApiKey; project: Project };
  /** Set once the dashboard's API has let the request in. */
  operator?: Operator;
  /** Set at admission, so that a request that passes it twice is counted towards its limit once. */
  isCounted?: boolean;
  /** Set if it was counted towards its key's own limit: takes that back, because another limit refuses it. */
  uncount?: () => void;
  /** Set at admission: gives back the room that its body takes. */
  freeBody?: () => void;
};

export type ExchangeRegistry = {
  of(request: Request): Exchange;
  /** From here on `copy` takes the place of `original`. */
  adopt(copy: Request, original: Request): void;
};

export const createExchanges = (now: () => number): ExchangeRegistry => {
  const exchanges = new WeakMap<Request, Exchange>();
  const of = (request: Request): Exchange => {
    let exchange = exchanges.get(request);
    if (exchange === undefined) {
      const beginning = { startedAtMs: now(), startedAt: performance.now() };
      exchange = { requestId: newId("call"), ...beginning, path: pathOf(request.url), ip: null };
      exchanges.set(request, exchange);
    }
    return exchange;
  };
  return {
    of,
    adopt: (copy, original) => void exchanges.set(copy, of(original)),
  };
};

/** Headers with the request's id. */
export const requestIdHeaders = ({ path, requestId }: Pick<Exchange, "path" | "requestId">): Record<string, string> => ({
  "x-svc-request-id": requestId,
  "x-request-id": requestId,
  // The header that Anthropic's SDKs read.
  ...((path.startsWith("/v1/messages") || path.startsWith("/v1/models")) && { "request-id": requestId }),
});

/** The path of an absolute URL, without the cost of parsing it. In HTTP/1.0 a request may have no host, and its URL is the path alone. */
export const pathOf = (url: string): string => {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  if (start < 0) return "/";
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
};
