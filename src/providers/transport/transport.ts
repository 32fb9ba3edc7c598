/** How bytes travel to an upstream and back, whatever carries them: `socketTransport` by itself, `fetchTransport` through a proxy. */

export type TransportRequest = {
  url: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Of names and values without control characters; `host` and `content-length` are set by the transport. */
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  /** Ends the exchange at any time; what waits then rejects with its reason. */
  signal: AbortSignal;
  /** Until the host must have taken the connection, its certificate included. */
  connectMs: number;
  /** Over a connection of its own, so that none can be stale. */
  once?: boolean;
};

/** What is returned resolves once there is room for more. */
export type TakePiece = (piece: Uint8Array) => Promise<void> | undefined;

export type TransportAnswer = {
  status: number;
  headers: Headers;
  /**
   * Hands on the body, decompressed, piece by piece in the turn in which each comes, and resolves at its end. While what `take`
   * returned is pending, nothing is handed on and the upstream is not read on. To be called once. Rejects where the connection breaks
   * before the body is complete, and with whatever `take` throws.
   */
  flow(take: TakePiece): Promise<void>;
  /** The rest is not wanted: lets the connection go. Safe to call twice, and after the end. */
  close(): void;
};

/** Follows no redirect. Rejects with a TransportError, or with the signal's reason. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

type TransportCode =
  /** Refused, unknown or unreachable host, no connection in time, a certificate that does not hold. */
  | "NOT_CONNECTED"
  /** The upstream closed before it had sent a byte of its answer: on a kept connection most likely before it got the request. */
  | "CLOSED_UNANSWERED"
  /** The answer broke off. */
  | "CUT"
  /** What came is no HTTP. */
  | "MALFORMED"
  /** A header that cannot be sent. */
  | "INVALID_HEADER";

export class TransportError extends Error {
  constructor(
    readonly code: TransportCode,
    /** The system's own word: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED, … */
    readonly reason: string = code,
  ) {
    super(reason);
  }
}

/** What the system calls a failure to connect. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "connection failed";
