/** What the catalog knows of a model. Quirks of a vendor are flags here, never branches elsewhere. */

import type { TextTask } from "./task-type.ts";

export type Ability =
  | "tools"
  | "parallel_tools"
  | "vision"
  | "audio_input"
  | "video_input"
  | "pdf_input"
  | "json_mode"
  | "json_schema"
  | "reasoning";

/** Nano-USD per token (1 USD per million tokens = 1,000); at most three decimals, which `costOf` keeps exact. */
export type TokenPrices = {
  inputNanoUsd: number;
  /** Where `inputNanoUsd` is the price of sound: that of text beside it. */
  textInputNanoUsd?: number;
  cacheReadNanoUsd: number;
  cacheWriteNanoUsd: number;
  outputNanoUsd: number;
};

/** How a model departs from its dialect's common form. */
export type ModelQuirks = {
  /** Spoken with it in place of its provider's: one of OpenAI's two formats, which share addresses and keys. */
  dialect?: OpenAiDialect;
  /** Spoken with it where a call has tools. */
  toolDialect?: OpenAiDialect;
  /** temperature, top_p and the penalties are refused. */
  noSampling?: boolean;
  /** But temperature and top_p are taken where it does not think (effort `none`). */
  samplesUnthinking?: boolean;
  /** temperature and top_p must not be sent together. */
  singleSampling?: boolean;
  /** The output bound is sent as this field (OpenAI dialect). */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Takes a key for calls that begin alike, by which their vendor finds what it has cached (OpenAI dialects). */
  cacheKey?: boolean;
  /** No `system` role: sent as `developer`. */
  developerRole?: boolean;
  /** How structured output is asked for (Anthropic dialect: native `output_config`, or a forced tool). */
  schemaBy?: "native" | "forced_tool" | "prompt";
  /** The stream takes no `stream_options`. */
  noStreamOptions?: boolean;
  /** Which field switches thinking (dialect specific). */
  thinking?: "adaptive" | "always" | "budget" | "level" | "toggle";
  /** The efforts of reasoning that the model knows, rising; absent: all of them. */
  efforts?: readonly ("none" | "minimal" | "low" | "medium" | "high")[];
  /** Takes system messages within the conversation, right after the user's (Anthropic dialect). */
  systemInTurns?: boolean;
  /** Refuses a forced tool call: `required` and a named tool are sent as `auto`. */
  noForcedTool?: boolean;
  /** Refuses a request that holds no sound. */
  needsAudio?: boolean;
  /** Takes tools only while its reasoning effort is `none`. */
  noReasoningWithTools?: boolean;
  /** Turns have to follow each other in one order alone (Mistral). */
  strictTurns?: boolean;
  /** The seed is sent as this field (OpenAI dialect). */
  seedField?: "seed" | "random_seed";
  /** Tool-call ids must be exactly nine letters and digits (Mistral). */
  nineCharacterToolIds?: boolean;
  /** How long its first content may take, in place of what holds for all. */
  firstByteMs?: number;
};

/** The format that a call goes out in, of a model whose provider speaks `dialect`. */
export const spokenDialect = (dialect: Dialect | null, quirks: ModelQuirks = {}, hasTools: boolean): Dialect | null => {
  if (!isOpenAiDialect(dialect)) return dialect;
  return (hasTools ? quirks.toolDialect : undefined) ?? quirks.dialect ?? dialect;
};

/** Dearer prices for the whole request once its prompt exceeds `aboveTokens`. */
type LongPromptPrices = { aboveTokens: number; prices: TokenPrices };

/** Most tokens that one picture is billed as: at whatever detail the vendor takes by itself, and where `low` was asked for. */
export type PictureTokens = { most: number; low: number };

export type ChatModel = {
  kind: "chat";
  /** The id callers and logs see. */
  id: string;
  /** Catalog id of the provider that serves it. */
  provider: string;
  /** The provider's own id, when it differs from `id`. */
  upstreamModel: string;
  /** Further names a caller may pin it by (dated snapshots, the vendor's moving aliases). */
  aliases?: readonly string[];
  name: string;
  contextWindow: number;
  maxOutputTokens: number;
  /** Room for an answer whose caller names no bound; absent: all that the model can write. */
  usualOutputTokens?: number;
  /** Absent = unknown, which is treated as the dearest price in the catalog, never as zero. */
  prices?: TokenPrices;
  longPrompt?: LongPromptPrices;
  abilities: readonly Ability[];
  /** Absent: what most vendors bill (`router/count-prompt.ts`). */
  pictureTokens?: PictureTokens;
  /** 0-1 for each task: expected share of tasks of middling difficulty done well. */
  strength: Readonly<Record<TextTask, number>>;
  /** Typical output tokens per second and time to first token, before own measurements exist. */
  tokensPerSecond: number;
  firstTokenMs: number;
  /** ISO date after which the vendor no longer serves it. */
  shutdownDate?: string;
  quirks?: ModelQuirks;
};

/** Unless it is said, a model that does not hold to a schema is asked for it in the prompt. */
export const quirksOf = (model: Pick<ChatModel, "abilities" | "quirks"> | undefined): ModelQuirks | undefined =>
  model === undefined || model.abilities.includes("json_schema") ? model?.quirks : { schemaBy: "prompt", ...model.quirks };

export type EmbeddingModel = {
  kind: "embedding";
  id: string;
  provider: string;
  upstreamModel: string;
  name: string;
  dimensions: number;
  maxInputTokens: number;
  inputNanoUsd: number;
  shutdownDate?: string;
};

/** Chat completions, which many vendors and every local server speak, and the Responses API. */
export type OpenAiDialect = "openai" | "openai-responses";

export type Dialect = OpenAiDialect | "anthropic" | "google" | "ollama" | "sandbox" | "local";

export const isOpenAiDialect = (dialect: string | null): dialect is OpenAiDialect =>
  dialect === "openai" || dialect === "openai-responses";

export type ProviderEntry = {
  id: string;
  name: string;
  dialect: Dialect | null;
  /** Environment variables that hold the key, first found wins. */
  keyVariables: readonly string[];
  /** Environment variables that override the base URL. */
  baseUrlVariables: readonly string[];
  /** Ends in `/v1` for the OpenAI dialects, carries no version otherwise (decisions §11). Absent: must be configured. */
  baseUrl?: string;
  /** Media and tools this provider can serve. */
  services: readonly ("chat" | "embeddings" | "images" | "video" | "speech" | "transcription" | "search")[];
};
