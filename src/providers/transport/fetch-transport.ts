/** Requests through the runtime's `fetch`, which supports the proxies that the environment names. */

import { pieceOf } from "./piece.ts";
import { reasonOf, type Transport, TransportError } from "./transport.ts";

/** With any other error code the request may have been sent. */
const UNSENT: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** `connectMs` has no effect, because `fetch` does not report a proxy's connections. */
export const fetchTransport: Transport = async ({ url, method, headers, body, signal, once }) => {
  const explain = (otherwise: TransportError): unknown => (signal.aborted ? signal.reason : otherwise);
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(once && { keepalive: false }),
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    const reason = reasonOf(error);
    throw explain(new TransportError(UNSENT.has(reason) ? "NOT_CONNECTED" : "CLOSED_UNANSWERED", reason));
  }
  const reader = response.body?.getReader();
  return {
    status: response.status,
    headers: response.headers,
    async flow(take) {
      const next = async (): Promise<Uint8Array | undefined> => {
        try {
          return (await reader?.read())?.value;
        } catch (error) {
          throw explain(new TransportError("CUT", reasonOf(error)));
        }
      };
      for (let piece = await next(); piece !== undefined; piece = await next()) await take(pieceOf(piece));
    },
    close: () => void reader?.cancel().catch(() => undefined),
  };
};
