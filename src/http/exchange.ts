/** What is known of a request before any route has seen it. Kept beside the request, so that errors can be rendered for it too. */

import type { ApiKey } from "../accounts/api-key.ts";
import type { Project } from "../accounts/project.ts";
import { newId } from "../lib/ids.ts";

type Exchange = {
  /** Also the `call_id` of the log where the request becomes a call. */
  requestId: string;
  startedAtMs: number;
  path: string;
  ip: string | null;
  /** Set by the dashboard's door for the signed-in operator, in place of a key. Nothing that a client sends can set it. */
  vouched?: { key: ApiKey; project: Project };
};

export type ExchangeRegistry = {
  of(request: Request): Exchange;
  setIp(request: Request, ip: string | null): void;
  /** `copy` stands for `original` from here on. */
  adopt(copy: Request, original: Request): void;
};

export const createExchanges = (now: () => number): ExchangeRegistry => {
  const exchanges = new WeakMap<Request, Exchange>();
  const of = (request: Request): Exchange => {
    let exchange = exchanges.get(request);
    if (exchange === undefined) {
      exchange = { requestId: newId("call"), startedAtMs: now(), path: pathOf(request.url), ip: null };
      exchanges.set(request, exchange);
    }
    return exchange;
  };
  return {
    of,
    setIp: (request, ip) => {
      of(request).ip = ip;
    },
    adopt: (copy, original) => void exchanges.set(copy, of(original)),
  };
};

/** What tells a caller how its request is called here. */
export const requestIdHeaders = ({ path, requestId }: Pick<Exchange, "path" | "requestId">): Record<string, string> => ({
  "x-svc-request-id": requestId,
  "x-request-id": requestId,
  // The name that Anthropic's SDKs read.
  ...(path.startsWith("/v1/messages") && { "request-id": requestId }),
});

/** The path of an absolute URL without the cost of parsing it. HTTP/1.0 knows requests without a host, whose URL is the path alone. */
export const pathOf = (url: string): string => {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  if (start < 0) return "/";
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
};
