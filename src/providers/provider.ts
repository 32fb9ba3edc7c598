/**
 * The seam to the outside: what the rest of the house says to a provider and hears from it, in our words.
 * A wire dialect (openai/, anthropic/, google/, ollama/, sandbox/, …) turns these into one vendor's format and back. Failures: upstream-error.ts.
 */

import type { TokenUsage } from "../catalog/price.ts";
import type {
  GeneratedImage,
  ImageRequest,
  SearchRequest,
  SearchResult,
  SpeechRequest,
  Transcription,
  TranscriptionRequest,
  VideoRequest,
  VideoStatus,
} from "./media-calls.ts";

export type { TokenUsage } from "../catalog/price.ts";

// ---------------------------------------------------------------- chat, in

type TextPart = { type: "text"; text: string };
/** `url` is a data: URL or a checked https: URL; `param` is the caller's field that named the latter. */
export type ImagePart = { type: "image"; url: string; detail?: "low" | "high" | "auto"; param?: string };
/** `data` is base64. */
type AudioPart = { type: "audio"; data: string; format: "wav" | "mp3" };
type VideoPart = { type: "video"; url: string };
/** `data` is base64, and empty until it was fetched `from` a checked https: URL in the caller's field `param`. */
export type DocumentPart = {
  type: "document";
  mediaType: "application/pdf";
  data: string;
  name?: string;
  from?: { url: string; param: string };
};
export type ContentPart = TextPart | ImagePart | AudioPart | VideoPart | DocumentPart;

export type ToolCall = {
  id: string;
  name: string;
  /** The arguments as JSON text, exactly as the model wrote them. */
  arguments: string;
};

/**
 * What a model thought, where its vendor wants it back unchanged: Anthropic's with its `signature`, or encrypted (`redacted`); others' as
 * plain text.
 */
export type Thought = { text: string; signature: string } | PlainThought | { redacted: string };
type PlainThought = { text: string; signature?: undefined };

export const isPlain = (thought: Thought): thought is PlainThought => "text" in thought && thought.signature === undefined;

/** `thoughts`: each with how many of the message's parts and calls came before it. */
export type PastThought = { thought: Thought; partsBefore: number; callsBefore: number };

export type ChatMessage =
  | { role: "system" | "user"; content: string | ContentPart[]; name?: string }
  | { role: "assistant"; content: string | ContentPart[]; toolCalls?: ToolCall[]; thoughts?: PastThought[] }
  | { role: "tool"; content: string | ContentPart[]; toolCallId: string };

/** For wherever a message is changed or kept: a thought holds only where nothing around it was. */
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
  /** How Anthropic's own models know it: by a type alone. */
  native?: Record<string, unknown>;
};
export type ToolChoice = "none" | "auto" | "required" | { name: string };

export type OutputFormat = { type: "json" } | { type: "schema"; name: string; schema: Record<string, unknown>; strict: boolean };

export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high";

/**
 * What a caller of Anthropic's API says of thinking, beside `reasoningEffort`, which says it for all vendors; `default` where it says
 * nothing. With `enabled` and `adaptive` the thoughts are shown.
 */
export type ThinkingWish = {
  mode: "enabled" | "adaptive" | "disabled" | "default";
  budgetTokens?: number;
  display?: "summarized" | "omitted";
  /** An effort beyond `high`, which not all models know. */
  effort?: "xhigh" | "max";
};

export const wantsThoughts = ({ thinking }: ChatRequest): boolean =>
  thinking?.mode === "enabled" || thinking?.mode === "adaptive";

export type ChatRequest = {
  messages: ChatMessage[];
  tools?: ToolDefinition[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  /** Upper bound on generated tokens, reasoning included; always set by the time a provider sees it. */
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  stop?: string[];
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  outputFormat?: OutputFormat;
  reasoningEffort?: ReasoningEffort;
  thinking?: ThinkingWish;
  /** What a caller of Anthropic's API says to Anthropic alone: names of its features on trial, and how old turns are thinned out. */
  forAnthropic?: { betas?: string[]; edits?: { type: string }[] };
  /** The caller's own end-user id. */
  user?: string;
  /** The prompt's beginning will be sent again soon: worth a write to the provider's cache where that has to be asked for. */
  cachePrompt?: CacheWish;
  /** What calls that begin alike have in common, for the vendors that find their cache by it. */
  cacheKey?: string;
};

/** For how long what ends with the system text is to be kept, and what ends with the last turn. */
export type CacheWish = { top: CacheLife; turns: CacheLife };
export type CacheLife = "5m" | "1h";

// ---------------------------------------------------------------- chat, out

export type UsageSource = "provider" | "estimated" | "none";

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** A web page that the answer rests on; `start` and `end` are its place in the text, 0 where the vendor tells none. */
export type Citation = { url: string; title: string; start: number; end: number };

export type ChatResult = {
  /** The provider's own response id, when it gave one. */
  id?: string;
  text: string;
  reasoning?: string;
  /** What of it the vendor wants back, each after so many characters of `text`. */
  thoughts?: { thought: Thought; textBefore: number }[];
  /** Set when the provider marked the answer as a refusal; the same text stands in `text`. */
  refusal?: string;
  toolCalls: ToolCall[];
  citations?: Citation[];
  finishReason: FinishReason;
  /** The caller's stop sequence at which the answer ended, where the provider says so. */
  stopSequence?: string;
  usage: TokenUsage;
  usageSource: UsageSource;
};

/** `index` counts tool calls over the whole stream: 0, 1, 2, … in order of appearance. */
export type ChatEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  /** Reasoning that its vendor wants back: a thought in pieces, ended by its signature, or one that is whole. */
  | { type: "thinking"; text: string }
  | { type: "thinking-end"; signature: string }
  | { type: "thought"; thought: Thought }
  | { type: "tool-start"; index: number; id: string; name: string }
  | { type: "tool-arguments"; index: number; text: string }
  | { type: "refusal"; text: string }
  /** Cumulative: each replaces the one before. */
  | { type: "usage"; usage: TokenUsage }
  /** Comes once, last. A stream that ends without it throws UpstreamError `truncated`. `isCut`: before the provider had told all it used. */
  | { type: "finish"; reason: FinishReason; stopSequence?: string; isCut?: boolean; citations?: Citation[] };

/**
 * Told the events of a stream, as many together as came together; the list is read at once, it changes afterwards. Whether to go on: false
 * aborts the upstream. While what is returned is pending, nothing more is told and the upstream is not read on.
 */
export type TakeEvents = (events: readonly ChatEvent[]) => boolean | Promise<boolean>;

// ---------------------------------------------------------------- the call's frame

/** Handed to every provider call. `signal` aborts when the caller hangs up or the call's deadline passes. */
export type CallContext = {
  signal: AbortSignal;
  /** Milliseconds left for the whole call. */
  remainingMs: number;
  requestId: string;
  /** W3C trace context to pass on. */
  traceparent?: string;
  /** 1 for the first attempt of a call; the sandbox's fault triggers look at it. */
  attempt: number;
};

// ---------------------------------------------------------------- embeddings, and all that a provider can do

/** Text, or the numbers that the model's own tokenizer made of it. */
export type EmbeddingInput = string | number[];
export type EmbeddingResult = { vectors: Float32Array[]; inputTokens: number };

/** One configured upstream. Members are absent where the vendor has no such service. `model` is the upstream's own id. */
export type Provider = {
  id: string;
  /** False where the model's tools go in a format that its server may not speak. Absent: true. */
  takesTools?(model: string): boolean;
  chat?(model: string, request: ChatRequest, context: CallContext): Promise<ChatResult>;
  /** Resolves once `take` has had the last event, or wants no more. Rejects with UpstreamError, or with whatever `take` throws. */
  streamChat?(model: string, request: ChatRequest, context: CallContext, take: TakeEvents): Promise<void>;
  embed?(model: string, inputs: string[], dimensions: number | undefined, context: CallContext): Promise<EmbeddingResult>;
  /** Absent where the vendor reads text alone. */
  embedTokens?(model: string, inputs: number[][], dimensions: number | undefined, context: CallContext): Promise<EmbeddingResult>;
  image?(model: string, request: ImageRequest, context: CallContext): Promise<GeneratedImage[]>;
  speech?(model: string, request: SpeechRequest, context: CallContext): Promise<ReadableStream<Uint8Array>>;
  transcribe?(model: string, request: TranscriptionRequest, context: CallContext): Promise<Transcription>;
  /** Returns the upstream's job id, to be stored before the caller hears 202. */
  startVideo?(model: string, request: VideoRequest, context: CallContext): Promise<string>;
  videoStatus?(model: string, upstreamJobId: string, context: CallContext): Promise<VideoStatus>;
  search?(request: SearchRequest, context: CallContext): Promise<SearchResult[]>;
  /** Ids the provider says it serves, for `models check` and the dashboard's live test. */
  listModels?(context: CallContext): Promise<{ id: string; shutdownDate?: string }[]>;
};

export const noUsage = (): TokenUsage => ({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 });
export const promptTokens = (usage: TokenUsage): number => usage.input + usage.cacheRead + usage.cacheWrite;
export const completionTokens = (usage: TokenUsage): number => usage.output + usage.reasoning;
