/** What a wire dialect is to the one chat provider: a handful of pure functions. */

import type { ModelQuirks } from "../../catalog/model.ts";
import type { ChatEvent, ChatRequest, ChatResult, EmbeddingInput, EmbeddingResult } from "../provider.ts";
import type { Framing } from "../upstream/read-events.ts";
import type { MapError } from "../upstream/upstream-failure.ts";

/** A request body about to be sent; plain JSON. */
export type WireBody = Record<string, unknown>;

/** What building a request may know beside the request itself. */
export type BuildOptions = {
  stream: boolean;
  quirks: ModelQuirks;
  /** Tokens the model can hold, where known (Ollama sizes its context by it). */
  contextWindow?: number | undefined;
};

/** Reads one stream; keeps its counters. */
export type StreamDecoder = {
  /** Appends what `frame` says to `events`; true once the stream's terminal event has been seen. */
  decode(frame: string, events: ChatEvent[]): boolean;
  /** The bytes are over. Appends the closing events, or throws UpstreamError `truncated`. */
  end(events: ChatEvent[]): void;
};

/** What a decoder needs to read the answer to this very request. */
export type ReadOptions = { provider: string; request: ChatRequest; quirks: ModelQuirks };

export type EmbedCall = { path: string; body: WireBody };

export type WireDialect = {
  framing: Framing;
  /** The configured base URL in the form the paths below are appended to. */
  baseUrl(configured: string): string;
  headers(key: string | undefined): Record<string, string>;
  chatPath(model: string, stream: boolean): string;
  buildRequest(model: string, request: ChatRequest, options: BuildOptions): WireBody;
  /** Takes out of a body, once nothing more is left out of it, what travels in headers. */
  takeHeaders?(body: WireBody): Record<string, string>;
  parseResponse(body: unknown, options: ReadOptions): ChatResult;
  createDecoder(options: ReadOptions): StreamDecoder;
  mapError: MapError;
  /** Removes a parameter the provider refused, or sends it under its other name. */
  dropParameter(body: WireBody, param: string): void;
  embed?: {
    /** Inputs one request may carry. */
    batchSize: number;
    build(model: string, inputs: string[], dimensions: number | undefined): EmbedCall;
    /** For inputs as token numbers. */
    buildTokens?(model: string, inputs: number[][], dimensions: number | undefined): EmbedCall;
    parse(body: unknown, inputs: readonly EmbeddingInput[], provider: string): EmbeddingResult;
  };
  listPath: string;
  parseList(body: unknown): { id: string; shutdownDate?: string }[];
};
