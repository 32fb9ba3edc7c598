/** Bytes of a connection to the head and the body of one HTTP/1.1 response. */

import { HTTPParser } from "http-parser-js";
import { TransportError } from "./transport.ts";

type ResponseHandlers = {
  onHead(status: number, headers: Headers, mayKeepAlive: boolean): void;
  onBody(piece: Uint8Array): void;
  /** The response is complete. Bytes after it are an error of `push`. */
  onEnd(): void;
};

type ResponseParser = {
  /** Throws TransportError `MALFORMED`. */
  push(bytes: Buffer): void;
  /** The connection is closed: ends a body without a length. Whether the response is complete shows in `onEnd`. */
  finish(): void;
};

/** Heads, chunk lines and trailers between two pieces of body; an upstream could send them without end. */
const MAX_BYTES_WITHOUT_BODY = 128 * 1024;

const toHeaders = (pairs: readonly string[]): Headers => {
  const headers = new Headers();
  for (let index = 0; index + 1 < pairs.length; index += 2) headers.append(pairs[index]!, pairs[index + 1]!);
  return headers;
};

/** Header values may hold UTF-8; with its high bits cut off, some of it would end the line. */
HTTPParser.encoding = "latin1";

/**
 * Whether the length just read, of the body or of a chunk, is none. The library takes one that is no number for the end of the
 * body, and at one below nothing it goes back in the bytes, for ever.
 */
const hasSenselessLength = (parser: object): boolean => {
  // Null where the body ends with the connection.
  const { body_bytes: left } = parser as unknown as { body_bytes: number | null };
  return left !== null && !(left >= 0);
};

export const createResponseParser = ({ onHead, onBody, onEnd }: ResponseHandlers): ResponseParser => {
  const parser = new HTTPParser(HTTPParser.RESPONSE);
  let state: "waiting" | "interim" | "answering" | "ended" = "waiting";
  let bytesWithoutBody = 0;

  parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, headers, shouldKeepAlive }) => {
    if (state === "ended" || statusCode === 101) throw new TransportError("MALFORMED");
    // 100 Continue and 103 Early Hints come before the answer itself.
    state = statusCode < 200 ? "interim" : "answering";
    if (hasSenselessLength(parser)) throw new TransportError("MALFORMED");
    if (state === "answering") onHead(statusCode, toHeaders(headers), shouldKeepAlive);
  };
  parser[HTTPParser.kOnBody] = (piece) => {
    if (hasSenselessLength(parser)) throw new TransportError("MALFORMED");
    bytesWithoutBody = 0;
    onBody(piece);
  };
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (state === "interim") {
      state = "waiting";
      return;
    }
    if (hasSenselessLength(parser)) throw new TransportError("MALFORMED");
    state = "ended";
    onEnd();
  };

  return {
    push(bytes) {
      if (state === "ended") throw new TransportError("MALFORMED");
      bytesWithoutBody += bytes.length;
      let failure: unknown;
      try {
        failure = parser.execute(bytes);
      } catch (error) {
        failure = error;
      }
      if (failure instanceof Error) throw failure instanceof TransportError ? failure : new TransportError("MALFORMED");
      if (bytesWithoutBody > Math.max(bytes.length, MAX_BYTES_WITHOUT_BODY)) throw new TransportError("MALFORMED");
    },
    finish() {
      if (state === "answering") parser.finish();
    },
  };
};
