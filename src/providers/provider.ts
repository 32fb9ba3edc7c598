/**
 * The interface to providers, in our own terms. A wire dialect (openai/, anthropic/, google/, ollama/, sandbox/, …) converts these types to
 * and from one vendor's format. Failures: upstream-error.ts.
 */

import type { ReasoningEffort, Verbosity } from "../catalog/model.ts";
import type { TokenUsage } from "../catalog/price.ts";
import type {
  EditRequest,
  GeneratedImage,
  ImageRequest,
  ModerationRequest,
  ModerationResult,
  RerankRequest,
  RerankResult,
  SearchRequest,
  SearchResult,
  SpeechRequest,
  Transcription,
  TranscriptionRequest,
  VideoRequest,
  VideoStatus,
} from "./media-calls.ts";

export type { ReasoningEffort } from "../catalog/model.ts";
export type { TokenUsage } from "../catalog/price.ts";

// ---------------------------------------------------------------- chat, in

/** `insteadOf`: the file whose text this is, without its data. */
type TextPart = { type: "text"; text: string; insteadOf?: DocumentPart };
/** `url` is a data: URL or a checked https: URL; `param` is the caller's field that named it. */
export type ImagePart = { type: "image"; url: string; detail?: "low" | "high" | "auto"; param?: string };
/** `data` is base64. */
type AudioPart = { type: "audio"; data: string; format: "wav" | "mp3" };
type VideoPart = { type: "video"; url: string; param?: string };
/** `data` is base64, and empty until it was fetched `from` a checked https: URL in the caller's field `param`. */
export type DocumentPart = {
  type: "document";
  mediaType: "application/pdf";
  data: string;
  name?: string;
  from?: { url: string; param: string };
};
export type ContentPart = (TextPart | ImagePart | AudioPart | VideoPart | DocumentPart) & Cacheable;

/** `cached`: the prompt up to and including this goes to the provider's cache for that long, if the provider caches on request. */
export type Cacheable = { cached?: CacheLife };
export type CacheLife = "5m" | "1h";

export type ToolCall = {
  id: string;
  name: string;
  /** The arguments as JSON text, exactly as the model wrote them. */
  arguments: string;
} & Cacheable;

/** Thinking that the vendor wants back unchanged: Anthropic's with its `signature`, or encrypted (`redacted`); others' as plain text. */
export type Thought = { text: string; signature: string } | PlainThought | { redacted: string };
type PlainThought = { text: string; signature?: undefined };

export const isPlain = (thought: Thought): thought is PlainThought => "text" in thought && thought.signature === undefined;

/** A thought and its position: the number of the message's parts and calls before it. */
export type PastThought = { thought: Thought; partsBefore: number; callsBefore: number };

export type ChatMessage =
  | { role: "system" | "user"; content: string | ContentPart[]; name?: string }
  | { role: "assistant"; content: string | ContentPart[]; name?: string; toolCalls?: ToolCall[]; thoughts?: PastThought[] }
  /** `isError`: the tool failed. The content says so, too, for vendors without such a field. */
  | ({ role: "tool"; content: string | ContentPart[]; toolCallId: string; isError?: true } & Cacheable);

/**
 * The message without its thoughts. Use it wherever a message is changed or stored, because a thought is valid only in its original
 * message.
 */
export const withoutThoughts = (message: ChatMessage): ChatMessage => {
  if (message.role !== "assistant" || message.thoughts === undefined) return message;
  const { thoughts: _, ...rest } = message;
  return rest;
};

export type ToolDefinition = {
  name: string;
  description?: string;
  parameters?: Record<string, unknown>;
  strict?: boolean;
  /** A tool that Anthropic's models know by its type. */
  native?: Record<string, unknown>;
  /** Members of its description that only Anthropic gets. */
  forAnthropic?: Record<string, unknown>;
} & Cacheable;
export type ToolChoice = "none" | "auto" | "required" | { name: string };

export type OutputFormat = { type: "json" } | { type: "schema"; name: string; schema: Record<string, unknown>; strict: boolean };

/**
 * The `thinking` of Anthropic's API, beside `reasoningEffort`, which all vendors share; `default` if it is not set. With the
 * first three, thinking is shown.
 */
export type ThinkingWish = {
  mode: "enabled" | "adaptive" | "between_tools" | "disabled" | "default";
  budgetTokens?: number;
  display?: "summarized" | "omitted" | "updates";
  /** What becomes of earlier thinking that does not fit the conversation. */
  blockBinding?: Record<string, unknown>;
};

export type ChatRequest = {
  messages: ChatMessage[];
  tools?: ToolDefinition[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  /** Upper bound on generated tokens, reasoning included; always set by the time a provider sees it. */
  maxOutputTokens?: number;
  /** A cost ceiling depends on that bound: the request is not sent without it, whatever the provider refuses. */
  needsBound?: true;
  temperature?: number;
  topP?: number;
  /** For vendors that have it; OpenAI's formats do not. */
  topK?: number;
  stop?: string[];
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  outputFormat?: OutputFormat;
  reasoningEffort?: ReasoningEffort;
  thinking?: ThinkingWish;
  /** How much OpenAI tells of the thinking, beside an effort. */
  thinkingSummary?: "auto" | "concise" | "detailed";
  /** How much the answer says, for models that have a setting for it. */
  verbosity?: Verbosity;
  /** What only Anthropic gets: names of beta features, how old turns are thinned out, and a first line of the prompt about the client. */
  forAnthropic?: { betas?: string[]; edits?: { type: string }[]; attribution?: string };
  /** The caller's own end-user id. */
  user?: string;
  /** Set if any part of the prompt, or all of it, is to be cached. */
  cachePrompt?: CacheWish;
  /** A key shared by calls with the same beginning, for vendors that find their cache by it. */
  cacheKey?: string;
};

/** The longest lifetime in the prompt, and that of the whole prompt, if all of it is to be cached. */
export type CacheWish = { longest: CacheLife; whole?: CacheLife };

// ---------------------------------------------------------------- chat, out

export type UsageSource = "provider" | "estimated" | "none";

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** A web page that the answer cites; `start` and `end` are its place in the text, 0 if the vendor gives none. */
export type Citation = { url: string; title: string; start: number; end: number };

export type ChatResult = {
  text: string;
  reasoning?: string;
  /** Thinking that the vendor wants back, each with the number of characters of `text` before it. */
  thoughts?: { thought: Thought; textBefore: number }[];
  /** Set if the provider marked the answer as a refusal; `text` has the same text. */
  refusal?: string;
  toolCalls: ToolCall[];
  /** URLs of pictures that the model drew: data: URLs, or as the vendor wrote them. At least one. */
  pictures?: string[];
  citations?: Citation[];
  finishReason: FinishReason;
  /** The caller's stop sequence that ended the answer, if the provider reports it. */
  stopSequence?: string;
  usage: TokenUsage;
  usageSource: UsageSource;
};

/** `index` counts tool calls over the whole stream: 0, 1, 2, … in order of appearance. */
export type ChatEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  /** Thinking that the vendor wants back: in pieces that end with a signature, or whole. */
  | { type: "thinking"; text: string }
  | { type: "thinking-end"; signature: string }
  | { type: "thought"; thought: Thought }
  | { type: "tool-start"; index: number; id: string; name: string }
  | { type: "tool-arguments"; index: number; text: string }
  | { type: "picture"; url: string }
  | { type: "refusal"; text: string }
  /** All that has come and is told only once it is known what it is: it is billed if the stream breaks off. Replaces the one before. */
  | { type: "held"; soFar: string }
  /** Cumulative: each replaces the one before. */
  | { type: "usage"; usage: TokenUsage }
  /**
   * Comes once, last; a stream without it throws UpstreamError `truncated`. `isCut`: the stream ended before the provider reported its
   * whole usage.
   */
  | { type: "finish"; reason: FinishReason; stopSequence?: string; isCut?: boolean; citations?: Citation[] };

/**
 * Receives the events of a stream, in batches as they arrived; read the list at once, because it is reused. Return false to abort the
 * upstream. While a promise is pending, no more events come and the upstream is not read.
 */
export type TakeEvents = (events: readonly ChatEvent[]) => boolean | Promise<boolean>;

// ---------------------------------------------------------------- the call's frame

/** Passed to every provider call. `signal` aborts when the caller disconnects or the call's deadline passes. */
export type CallContext = {
  signal: AbortSignal;
  /** Milliseconds left for the whole call. */
  remainingMs: number;
  requestId: string;
  /** W3C trace context to pass on. */
  traceparent?: string | null;
  /** 1 for the first attempt of a call; the sandbox's fault triggers look at it. */
  attempt: number;
  /** Told of each request whether a connection was made: without one, the upstream knows nothing of it. */
  reached?(wasReached: boolean): void;
  /** Gets the events of a whole answer that comes as a stream: they are billed even if it breaks off. */
  hear?(events: readonly ChatEvent[]): void;
};

// ---------------------------------------------------------------- embeddings, and all that a provider can do

/** Text, or token ids made by the model's own tokenizer. */
export type EmbeddingInput = string | number[];
/** A provider's numbers as it wrote them, or the local encoder's. */
export type Vector = readonly number[] | Float32Array;
/** `estimated`: the provider did not count the tokens of all of it. */
export type EmbeddingResult = { vectors: Vector[]; inputTokens: number; estimated?: boolean };

/** One configured upstream. Members are absent if the vendor has no such service. `model` is the upstream's own id. */
export type Provider = {
  /** Pictures must come as bytes. Absent: it fetches their URLs itself. */
  takesBytesOnly?: boolean;
  /** False if the model's tools need a format that its server may not speak. Absent: true. */
  takesTools?(model: string): boolean;
  chat?(model: string, request: ChatRequest, context: CallContext): Promise<ChatResult>;
  /** Resolves once `take` has received the last event, or wants no more. Rejects with UpstreamError, or with whatever `take` throws. */
  streamChat?(model: string, request: ChatRequest, context: CallContext, take: TakeEvents): Promise<void>;
  embed?(
    model: string,
    inputs: readonly EmbeddingInput[],
    dimensions: number | undefined,
    context: CallContext,
  ): Promise<EmbeddingResult>;
  /** Whether `embed` takes token ids. Absent: only text. */
  embedsTokens?: boolean;
  image?(model: string, request: ImageRequest, context: CallContext): Promise<GeneratedImage[]>;
  /** Pictures made of others as the prompt says. */
  edit?(model: string, request: EditRequest, context: CallContext): Promise<GeneratedImage[]>;
  speech?(model: string, request: SpeechRequest, context: CallContext): Promise<ReadableStream<Uint8Array>>;
  transcribe?(model: string, request: TranscriptionRequest, context: CallContext): Promise<Transcription>;
  /** What was said, in English. */
  translate?(model: string, request: TranscriptionRequest, context: CallContext): Promise<Transcription>;
  /** Returns the upstream's job id, which must be stored before the caller gets its 202. */
  startVideo?(model: string, request: VideoRequest, context: CallContext): Promise<string>;
  videoStatus?(model: string, upstreamJobId: string, context: CallContext): Promise<VideoStatus>;
  search?(request: SearchRequest, context: CallContext): Promise<SearchResult[]>;
  /** One verdict for each text, or one for all parts. */
  moderate?(model: string, request: ModerationRequest, context: CallContext): Promise<ModerationResult>;
  rerank?(model: string, request: RerankRequest, context: CallContext): Promise<RerankResult>;
  /** Ids of the models that the provider lists, for `models check` and the dashboard's live test. */
  listModels?(context: CallContext): Promise<{ id: string; shutdownDate?: string }[]>;
};

/** What a provider is asked for by the kind of a media model. */
export const MEDIA_SERVICES = {
  image: "image",
  video: "startVideo",
  speech: "speech",
  transcription: "transcribe",
  rerank: "rerank",
  moderation: "moderate",
} as const;

export const noUsage = (): TokenUsage => ({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 });
export const promptTokens = (usage: TokenUsage): number => usage.input + usage.cacheRead + usage.cacheWrite;
export const completionTokens = (usage: TokenUsage): number => usage.output + usage.reasoning;
