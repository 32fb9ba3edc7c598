/** The interface of a wire dialect for the chat provider: a handful of pure functions. */

import type { ModelQuirks } from "../../catalog/model.ts";
import type { ChatEvent, ChatRequest, EmbeddingInput } from "../provider.ts";
import type { Framing } from "../upstream/read-events.ts";
import type { MapError } from "../upstream/upstream-failure.ts";

/** A request body to be sent; plain JSON. Members that are undefined are not sent. */
export type WireBody = Record<string, unknown>;

/** What building a request may depend on beside the request itself. */
export type BuildOptions = {
  stream: boolean;
  quirks: ModelQuirks;
  /** The model's context window in tokens, if known (Ollama is told to reserve it). */
  contextWindow?: number | undefined;
};

/** What was last asked of each model, and when. */
export type KeptSizes = Map<string, { size: number; atMs: number }>;

/**
 * Reads one answer, which comes whole or as a stream, and appends its events to the list that it was created with. Throws UpstreamError for
 * an answer that failed.
 */
export type AnswerReader = {
  readWhole(body: unknown): void;
  /** Reads one frame of a stream; true once the stream's terminal event has been seen. */
  readFrame(frame: string): boolean;
  /** Call it at the end of the stream: appends the closing events, or throws UpstreamError `truncated`. */
  end(): void;
};

/** What a reader needs to know about the request it reads the answer to. */
export type ReadOptions = { provider: string; request: ChatRequest; quirks: ModelQuirks };

export type EmbedCall = { path: string; body: WireBody };

/** What an answer says, unchecked; `inputTokens` if it reports them. */
export type ParsedEmbedding = { vectors: unknown[]; inputTokens: number | undefined };

export type WireDialect = {
  framing: Framing;
  /** The configured base URL, normalised so that the paths below can be appended. */
  baseUrl(configured: string): string;
  /** The names of tools that the vendor accepts; absent if it accepts any. */
  toolNames?: RegExp;
  /** Pictures must come as bytes: the vendor fetches no URLs. */
  takesBytesOnly?: true;
  /** `key`: empty for servers without authentication. */
  headers(key: string): Record<string, string>;
  chatPath(model: string, stream: boolean): string;
  buildRequest(model: string, request: ChatRequest, options: BuildOptions): WireBody;
  /** Fits a body to what was asked of its model before; `kept` belongs to the provider. */
  keepContext?(body: WireBody, kept: KeptSizes, nowMs: number): void;
  /** Removes from the final body what is sent in headers instead, and returns those headers. */
  takeHeaders?(body: WireBody): Record<string, string>;
  /** Whoever reads `events` empties the list. */
  createReader(options: ReadOptions, events: ChatEvent[]): AnswerReader;
  mapError: MapError;
  /** Removes a parameter that the provider refused, or renames it. */
  dropParameter(body: WireBody, param: string): void;
  embed?: {
    /** Most inputs in one request. */
    batchSize: number;
    /** Token ids are accepted as well as text. */
    takesTokens?: true;
    build(model: string, inputs: readonly EmbeddingInput[], dimensions: number | undefined): EmbedCall;
    parse(body: unknown): ParsedEmbedding;
    /** Applied to checked vectors of a size that was asked for. */
    fitSized?(vector: number[]): number[];
  };
  listPath: string;
  parseList(body: unknown): { id: string; shutdownDate?: string }[];
};
