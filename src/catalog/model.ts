/** What the catalog knows about a model. Quirks of a vendor are flags here, never branches elsewhere. */

import { type ABILITIES, OPENAI_DIALECTS, type SPOKEN_DIALECTS } from "../config/vocabulary.ts";
import type { TextTask } from "./task-type.ts";

export type Ability = (typeof ABILITIES)[number];

/** Nano-USD per token (1 USD per million tokens = 1,000); at most three decimals, which `costOf` keeps exact. */
export type TokenPrices = {
  inputNanoUsd: number;
  /** Of sound in the prompt, if it costs more than text. */
  audioInputNanoUsd?: number;
  cacheReadNanoUsd: number;
  cacheWriteNanoUsd: number;
  outputNanoUsd: number;
};

export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ReasoningEffort = (typeof EFFORTS)[number];
export const VERBOSITIES = ["low", "medium", "high"] as const;
export type Verbosity = (typeof VERBOSITIES)[number];

/** How a model deviates from its dialect. */
export type ModelQuirks = {
  /** Its dialect, if not its provider's: one of OpenAI's two formats, which share addresses and keys. */
  dialect?: OpenAiDialect;
  /** Its dialect for calls with tools; beside `noReasoningWithTools`, only for those that shall think. */
  toolDialect?: OpenAiDialect;
  /** temperature, top_p and the penalties are refused. */
  noSampling?: boolean;
  /** Except without thinking (effort `none`), when temperature and top_p are accepted. */
  samplesUnthinking?: boolean;
  /** temperature and top_p must not be sent together. */
  singleSampling?: boolean;
  /** The output bound is sent as this field (OpenAI dialect). */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Accepts a key for calls with the same beginning, by which the vendor finds its cache (OpenAI dialects). */
  cacheKey?: boolean;
  /** Refuses the caller's end-user id (OpenAI dialects). */
  noUser?: boolean;
  /** Has a setting for how much its answers say (OpenAI dialects). */
  verbosity?: boolean;
  /** No `system` role: sent as `developer`. */
  developerRole?: boolean;
  /** How structured output is asked for (Anthropic dialect: native `output_config`, or a forced tool). */
  schemaBy?: "native" | "forced_tool" | "prompt";
  /** The stream takes no `stream_options`. */
  noStreamOptions?: boolean;
  /** The field that controls thinking (dialect specific). */
  thinking?: "adaptive" | "always" | "budget" | "level" | "toggle";
  /** Thinks always, but can be limited to notes between its tool calls (Anthropic dialect). */
  notesBetweenTools?: boolean;
  /** The reasoning efforts that the model knows, ascending; absent: those that are usual in its dialect; empty: it does not reason. */
  efforts?: readonly ReasoningEffort[];
  /** Accepts system messages within the conversation, directly after the user's (Anthropic dialect). */
  systemInTurns?: boolean;
  /** Continues an answer that the conversation ends with, if it does not think first (Anthropic dialect). */
  continuesAnswer?: boolean;
  /** Refuses a forced tool call: `required` and a named tool are sent as `auto`. */
  noForcedTool?: boolean;
  /** Draws pictures in its answers, and is asked for them. */
  draws?: boolean;
  /** Refuses a request without audio. */
  needsAudio?: boolean;
  /** Accepts tools only with reasoning effort `none` (chat completions). */
  noReasoningWithTools?: boolean;
  /** Turns must follow a strict order (Mistral). */
  strictTurns?: boolean;
  /** The seed is sent as this field (OpenAI dialect). */
  seedField?: "seed" | "random_seed";
  /** Tool-call ids must be exactly nine letters and digits (Mistral). */
  nineCharacterToolIds?: boolean;
  /** Deadline of its first content, in place of the general one. */
  firstByteMs?: number;
};

type Asked = { tools?: readonly unknown[]; reasoningEffort?: ReasoningEffort };

/** The dialect of a call to a model whose provider speaks `dialect`. */
export const spokenDialect = (
  dialect: Dialect | null,
  quirks: ModelQuirks = {},
  { tools = [], reasoningEffort: effort = "none" }: Asked = {},
): Dialect | null => {
  if (!isOpenAiDialect(dialect)) return dialect;
  const isForTools = tools.length > 0 && !(quirks.noReasoningWithTools && effort === "none");
  return (isForTools ? quirks.toolDialect : undefined) ?? quirks.dialect ?? dialect;
};

/** Higher prices for the whole request once its prompt exceeds `aboveTokens`. */
type LongPromptPrices = { aboveTokens: number; prices: TokenPrices };

/** The most tokens billed for one picture: at the vendor's default detail, and with `low`. */
export type PictureTokens = { most: number; low: number };

export type ChatModel = {
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
  /** Output bound if the caller sets none; absent: the model's maximum. */
  usualOutputTokens?: number;
  /** Absent = unknown, which is treated as the dearest price in the catalog, never as zero. */
  prices?: TokenPrices;
  longPrompt?: LongPromptPrices;
  abilities: readonly Ability[];
  /** Absent: as most vendors bill (`router/count-prompt.ts`). */
  pictureTokens?: PictureTokens;
  /** How many tokens its tokenizer makes of what is one token by our estimate (`lib/estimate-tokens.ts`); absent: 1. */
  tokenScale?: number;
  /** Most tokens of the vendor's own instructions in a prompt with tools; absent: unknown (`router/count-prompt.ts`). */
  toolTokens?: number;
  /** 0-1 for each task: expected share of tasks of middling difficulty done well. */
  strength: Readonly<Record<TextTask, number>>;
  /** Typical output tokens per second and time to first token, before own measurements exist. */
  tokensPerSecond: number;
  firstTokenMs: number;
  /** ISO date after which the vendor no longer serves it. */
  shutdownDate?: string;
  /** The local server that had it does not answer now. */
  isAway?: true;
  quirks?: ModelQuirks;
};

export type Named = { id: string; provider: string; upstreamModel: string; aliases?: readonly string[] };

/** Each once, the provider's own first. */
export const namesOf = ({ id, upstreamModel, aliases = [] }: Named): string[] => [...new Set([upstreamModel, ...aliases, id])];

/** With what follows from its abilities. By default, a model without native schemas is asked for the schema in the prompt. */
export const quirksOf = (model: Pick<ChatModel, "abilities" | "quirks"> | undefined): ModelQuirks | undefined => {
  if (model === undefined) return undefined;
  const { abilities, quirks } = model;
  const asked: ModelQuirks | undefined = abilities.includes("json_schema") ? quirks : { schemaBy: "prompt", ...quirks };
  return abilities.includes("image_output") ? { ...asked, draws: true } : asked;
};

export type EmbeddingModel = {
  id: string;
  provider: string;
  upstreamModel: string;
  name: string;
  dimensions: number;
  maxInputTokens: number;
  inputNanoUsd: number;
  shutdownDate?: string;
};

export type OpenAiDialect = (typeof OPENAI_DIALECTS)[number];
export type SpokenDialect = (typeof SPOKEN_DIALECTS)[number];
export type Dialect = SpokenDialect | "sandbox" | "local";

export const isOpenAiDialect = (dialect: string | null): dialect is OpenAiDialect =>
  OPENAI_DIALECTS.some((each) => each === dialect);

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
  /** Runs open models of all kinds, whose tool calls it may leave in their text. */
  runsOpenModels?: true;
  /** Services of this provider. */
  services: readonly (
    | "chat"
    | "embeddings"
    | "images"
    | "edits"
    | "video"
    | "speech"
    | "transcription"
    | "search"
    | "rerank"
    | "moderations"
  )[];
};
