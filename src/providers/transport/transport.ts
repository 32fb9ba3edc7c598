/** The interface for sending a request to an upstream: socket-transport.ts usually, fetch-transport.ts through a proxy. */

import type { AnswerHeaders } from "./answer-headers.ts";

import type { Piece } from "./piece.ts";

export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Latin-1 letters, blanks and tabs, so that no value can end its line. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export type TransportRequest = {
  url: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Names and values without control characters; the transport sets `host` and `content-length`. */
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  /** Ends the exchange at any time: pending promises reject with its reason, or with `NOT_CONNECTED` before there is a connection. */
  signal: AbortSignal;
  /** Deadline for the connection, TLS certificate included. */
  connectMs: number;
  /** Uses a new connection, which cannot be stale. */
  once?: boolean;
};

/** Takes a piece of the body. The promise resolves once there is room for more. */
export type TakePiece = (piece: Piece) => Promise<void> | undefined;

export type TransportAnswer = {
  status: number;
  headers: AnswerHeaders;
  /**
   * Passes on the body, decompressed, each piece in the turn in which it arrives, and resolves at its end. While a promise of `take` is
   * pending, nothing is passed on and the connection is not read. Call it once. Rejects if the connection breaks before the body is
   * complete, and with whatever `take` throws.
   */
  flow(take: TakePiece): Promise<void>;
  /** Gives up the rest of the body and closes the connection. Safe to call twice, and after the end. */
  close(): void;
};

/** Follows no redirect. Rejects with a TransportError, or with the signal's reason. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

type TransportCode =
  /** The host refused, is unknown or unreachable, was not connected in time or before the signal, or its certificate is invalid. */
  | "NOT_CONNECTED"
  /** The upstream closed the connection before the first byte of its answer; on a kept connection most likely before it got the request. */
  | "CLOSED_UNANSWERED"
  /** The answer ended too early. */
  | "CUT"
  /** The answer is not valid HTTP. */
  | "MALFORMED"
  /** A header that cannot be sent. */
  | "INVALID_HEADER";

export class TransportError extends Error {
  constructor(
    readonly code: TransportCode,
    /** The system's error code: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED, … */
    readonly reason: string = code,
  ) {
    super(reason);
  }
}

/** The system's error code of a failure to connect. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "connection failed";
