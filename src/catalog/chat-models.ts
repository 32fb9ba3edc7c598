/**
 * The chat models Signalbox knows without being told. Everything here moves; an operator's overrides win over every field.
 *
 * Prices: USD per million tokens as `[input, cache read, cache write, output]`, list prices of the vendors' own pages in November 2026
 * (OpenAI and Anthropic model pages, Gemini pricing, DeepSeek, xAI, Groq and Mistral price pages, cross-checked with models.dev).
 * Where a vendor bills no cache write, the column repeats the input price. DeepSeek's are its peak-hour prices, so that a cost ceiling
 * holds at any hour; Gemini 3.8 Flash's double on 1 January 2027; GPT-5.6 Sol's were promised until 21 November 2026 at least.
 * Windows, output bounds and shutdown dates: the vendors' model and deprecation pages, same month.
 *
 * GPT Audio is here for the sound it hears. What Google bills for the sound that its models since 3 hear is not told apart here.
 *
 * `picture`: most tokens that one picture is billed as, and with `detail: low`; where absent, the usual 1,600 and 300. OpenAI's guide to
 * vision costs: 2,833 + 5,667 for each of at most 8 tiles (GPT-4o mini), 1,536 patches times 1.62 or 2.46 (the small models of 4.1 and 5),
 * 2,500 patches times 1.2 (since 5.4), patches knowing no `low`. Anthropic's: an image of 1,568 or, since Opus 4.7, 2,576 pixels a side.
 *
 * `overall`: a judgement in bands, from the order of the models on public indices (Artificial Analysis, LiveBench, September-October 2026)
 * with gaps narrowed, since those test the hardest work and routing asks about middling work; older models, and those of November 2026,
 * are placed by their vendors' own comparisons. Own logs correct it. `speed`: typical output tokens per second and time to first token as
 * published, rounded.
 */

import { given } from "../lib/given.ts";
import type { Ability, ChatModel, ModelQuirks, PictureTokens, TokenPrices } from "./model.ts";
import { strengthFrom } from "./model-strength.ts";
import { nanoUsdPerToken } from "./price.ts";
import type { TextTask } from "./task-type.ts";

export const PRICES_AS_OF = "2026-11-22";

/** The model that metrics compare a project's bill with (spec.md `vs_gpt4o_only`). */
export const REFERENCE_MODEL_ID = "gpt-4o";

type Usd = readonly [input: number, cacheRead: number, cacheWrite: number, output: number];

type Row = {
  id: string;
  name: string;
  upstream?: string;
  aliases?: readonly string[];
  window: number;
  output: number;
  usd: Usd;
  /** Price of sound in the prompt, if it costs more than text. */
  audioUsd?: number;
  /** With a prompt of more tokens, the whole request costs so many times as much: what it reads, and what it writes. */
  long?: { above: number; input: number; output: number };
  abilities: readonly Ability[];
  picture?: PictureTokens;
  scale?: number;
  overall: number;
  lean?: Partial<Record<TextTask, number>>;
  speed: readonly [tokensPerSecond: number, firstTokenMs: number];
  shutdown?: string;
  quirks?: ModelQuirks;
};

const TOOLS: readonly Ability[] = ["tools", "parallel_tools"];
const JSON_OUT: readonly Ability[] = ["json_mode", "json_schema"];
const SEES: readonly Ability[] = ["vision", "pdf_input"];
const ALL: readonly Ability[] = [...TOOLS, ...SEES, ...JSON_OUT];
const REASONS: readonly Ability[] = [...ALL, "reasoning"];
const GEMINI: readonly Ability[] = [...REASONS, "audio_input", "video_input"];
/** Image input without PDF parts. */
const PICTURES: readonly Ability[] = [...TOOLS, "vision", ...JSON_OUT];
const PICTURES_REASONS: readonly Ability[] = [...PICTURES, "reasoning"];

const COMPLETION_TOKENS: ModelQuirks = { maxTokensField: "max_completion_tokens" };
const OPENAI_PLAIN: ModelQuirks = { ...COMPLETION_TOKENS, cacheKey: true, efforts: [] };
const OPENAI_REASONING: ModelQuirks = { ...OPENAI_PLAIN, noSampling: true, developerRole: true };
const OPENAI_5: ModelQuirks = { ...OPENAI_REASONING, verbosity: true, efforts: ["minimal", "low", "medium", "high"] };
const OPENAI_5_1: ModelQuirks = { ...OPENAI_5, samplesUnthinking: true, efforts: ["none", "low", "medium", "high"] };
const OPENAI_5_2: ModelQuirks = { ...OPENAI_5_1, efforts: ["none", "low", "medium", "high", "xhigh"] };
const OPENAI_THINKS: ModelQuirks = { ...OPENAI_REASONING, efforts: ["low", "medium", "high"] };
/** Since GPT-5.4, OpenAI accepts tools beside thinking only on its Responses API. */
const OPENAI_5_4: ModelQuirks = { ...OPENAI_5_2, noReasoningWithTools: true, toolDialect: "openai-responses" };
const OPENAI_6: ModelQuirks = { ...OPENAI_5_4, efforts: ["none", "low", "medium", "high", "xhigh", "max"] };
/** Newest models that cannot stop thinking. */
const OPENAI_6_THINKS: ModelQuirks = {
  ...OPENAI_5,
  efforts: ["low", "medium", "high", "xhigh", "max"],
  toolDialect: "openai-responses",
};
const CLAUDE_5: ModelQuirks = { noSampling: true, schemaBy: "native", thinking: "adaptive", systemInTurns: true };
/** Its thinking cannot be turned off. */
const CLAUDE_THINKS: ModelQuirks = { ...CLAUDE_5, thinking: "always", noForcedTool: true };
const CLAUDE_4: ModelQuirks = { singleSampling: true, schemaBy: "native", thinking: "budget", continuesAnswer: true };
const MAX_TOKENS: ModelQuirks = { maxTokensField: "max_tokens" };
/** Google: since 3.5 Flash-Lite and 3.6 Flash, temperature and the like have no effect, and penalties are refused. */
const GEMINI_FIXED: ModelQuirks = { thinking: "level", noSampling: true };
const MISTRAL_TURNS: ModelQuirks = {
  ...MAX_TOKENS,
  cacheKey: true,
  noUser: true,
  noStreamOptions: true,
  nineCharacterToolIds: true,
  strictTurns: true,
  seedField: "random_seed",
  efforts: ["none", "high"],
};

const always = (tokens: number): PictureTokens => ({ most: tokens, low: tokens });
const OPENAI_PATCHES = always(3_010);
const CLAUDE_LARGE = always(4_790);
const CLAUDE_SMALL = always(1_600);
/** Anthropic: since Opus 4.7 and Sonnet 5, the same text makes about 30 % more tokens, some texts more. */
const CLAUDE_TOKENS = 1.35;

/** What the models of a generation share. */
const GPT_MILLION = {
  window: 1_050_000,
  output: 128_000,
  long: { above: 272_000, input: 2, output: 1.5 },
  abilities: REASONS,
  picture: OPENAI_PATCHES,
};
const GPT_5 = { window: 400_000, output: 128_000, abilities: REASONS };
const GPT_4_1 = { window: 1_047_576, output: 32_768, abilities: ALL, shutdown: "2027-01-14", quirks: OPENAI_PLAIN };
const GPT_4O = { window: 128_000, output: 16_384, abilities: ALL, shutdown: "2027-01-14", quirks: OPENAI_PLAIN };
const CLAUDE_MILLION = {
  window: 1_000_000,
  output: 128_000,
  abilities: REASONS,
  picture: CLAUDE_LARGE,
  scale: CLAUDE_TOKENS,
  lean: { writing: 0.02 },
};
const CLAUDE_4_6 = {
  window: 1_000_000,
  output: 128_000,
  abilities: REASONS,
  picture: CLAUDE_SMALL,
  lean: { writing: 0.02 },
  quirks: { ...CLAUDE_4, thinking: "adaptive", continuesAnswer: false, efforts: ["low", "medium", "high", "max"] },
} as const;
const CLAUDE_4_5 = { window: 200_000, output: 64_000, abilities: REASONS, picture: CLAUDE_SMALL, quirks: CLAUDE_4 };
const GEMINI_MILLION = { window: 1_048_576, output: 65_536, abilities: GEMINI };
const GEMINI_LONG = { above: 200_000, input: 2, output: 1.5 };
const GPT_OSS = {
  window: 131_072,
  output: 65_536,
  abilities: [...TOOLS, ...JSON_OUT, "reasoning"],
  quirks: { ...COMPLETION_TOKENS, efforts: ["low", "medium", "high"] },
} as const;
const DEEPSEEK_4 = {
  window: 1_000_000,
  output: 384_000,
  quirks: { ...MAX_TOKENS, thinking: "toggle", efforts: ["low", "medium", "high", "xhigh", "max"] },
} as const;
const GROK = {
  window: 500_000,
  output: 128_000,
  // xAI's threshold is inclusive: 200,000 tokens already cost double.
  long: { above: 199_999, input: 2, output: 2 },
  abilities: PICTURES_REASONS,
  quirks: { ...COMPLETION_TOKENS, efforts: ["low", "medium", "high", "xhigh"] },
} as const;

// biome-ignore format: a table
const OPENAI: readonly Row[] = [
  { ...GPT_MILLION, id: "gpt-6.2-astra", name: "GPT-6.2 Astra", usd: [8, 0.4, 10, 40],         overall: 0.95,  speed: [65, 4000],  quirks: OPENAI_6_THINKS },
  { ...GPT_MILLION, id: "gpt-6.2-sol",   name: "GPT-6.2 Sol",   usd: [2, 0.1, 2.5, 10],        overall: 0.935, speed: [85, 2500],  quirks: OPENAI_6_THINKS },
  { ...GPT_MILLION, id: "gpt-6-astra",   name: "GPT-6 Astra",   usd: [10, 1, 12.5, 50],        overall: 0.945, speed: [65, 4000],  quirks: OPENAI_6_THINKS },
  { ...GPT_MILLION, id: "gpt-6.1-sol",   name: "GPT-6.1 Sol",   usd: [2, 0.1, 2.5, 10],        overall: 0.925, speed: [85, 2500],  quirks: OPENAI_6_THINKS, aliases: ["gpt-6.1-sol-2026-09-29"] },
  { ...GPT_MILLION, id: "gpt-6-sol",     name: "GPT-6 Sol",     usd: [2, 0.2, 2.5, 10],        overall: 0.905, speed: [85, 2500],  quirks: OPENAI_6 },
  { ...GPT_MILLION, id: "gpt-6.1-terra", name: "GPT-6.1 Terra", usd: [1, 0.05, 1.25, 5],       overall: 0.885, speed: [110, 1800], quirks: OPENAI_6 },
  { ...GPT_MILLION, id: "gpt-6-luna",    name: "GPT-6 Luna",    usd: [0.1, 0.01, 0.125, 0.5],  overall: 0.82,  speed: [170, 1200], quirks: OPENAI_6 },
  { ...GPT_MILLION, id: "gpt-5.6-sol",   name: "GPT-5.6 Sol",   usd: [4, 0.4, 5, 20],          overall: 0.885, speed: [80, 2500],  quirks: OPENAI_6, aliases: ["gpt-5.6"] },
  { ...GPT_MILLION, id: "gpt-5.6-terra", name: "GPT-5.6 Terra", usd: [2, 0.2, 2.5, 12],        overall: 0.85,  speed: [100, 1600], quirks: OPENAI_6 },
  { ...GPT_MILLION, id: "gpt-5.6-luna",  name: "GPT-5.6 Luna",  usd: [0.2, 0.02, 0.25, 1.2],   overall: 0.79,  speed: [160, 1200], quirks: OPENAI_6 },
  { ...GPT_MILLION, id: "gpt-5.5",       name: "GPT-5.5",       usd: [5, 0.5, 5, 30],          overall: 0.86,  speed: [80, 2500],  quirks: OPENAI_5_4, aliases: ["gpt-5.5-2026-04-23"] },
  { ...GPT_MILLION, id: "gpt-5.4",       name: "GPT-5.4",       usd: [2.5, 0.25, 2.5, 15],     overall: 0.845, speed: [80, 2500],  quirks: OPENAI_5_4, aliases: ["gpt-5.4-2026-03-05"] },
  { ...GPT_5, id: "gpt-5.4-mini",        name: "GPT-5.4 mini",  usd: [0.75, 0.075, 0.75, 4.5], overall: 0.785, speed: [140, 1500], quirks: OPENAI_5_4, picture: OPENAI_PATCHES, aliases: ["gpt-5.4-mini-2026-03-17"] },
  { ...GPT_5, id: "gpt-5.4-nano",        name: "GPT-5.4 nano",  usd: [0.2, 0.02, 0.2, 1.25],   overall: 0.69,  speed: [170, 1200], quirks: OPENAI_5_4, picture: always(3_780), aliases: ["gpt-5.4-nano-2026-03-17"], shutdown: "2027-04-01" },
  { ...GPT_5, id: "gpt-5.2",             name: "GPT-5.2",       usd: [1.75, 0.175, 1.75, 14],  overall: 0.84,  speed: [80, 2500],  quirks: OPENAI_5_2, aliases: ["gpt-5.2-2025-12-11"] },
  { ...GPT_5, id: "gpt-5.1",             name: "GPT-5.1",       usd: [1.25, 0.125, 1.25, 10],  overall: 0.835, speed: [85, 2500],  quirks: OPENAI_5_1, aliases: ["gpt-5.1-2025-11-13"], shutdown: "2027-04-01" },
  { ...GPT_5, id: "gpt-5",               name: "GPT-5",         usd: [1.25, 0.125, 1.25, 10],  overall: 0.83,  speed: [90, 3000],  quirks: OPENAI_5, aliases: ["gpt-5-2025-08-07"], shutdown: "2026-12-11" },
  { ...GPT_5, id: "gpt-5-mini",          name: "GPT-5 mini",    usd: [0.25, 0.025, 0.25, 2],   overall: 0.75,  speed: [120, 1800], quirks: OPENAI_5, picture: always(2_490), aliases: ["gpt-5-mini-2025-08-07"], shutdown: "2026-12-11" },
  { ...GPT_5, id: "gpt-5-nano",          name: "GPT-5 nano",    usd: [0.05, 0.005, 0.05, 0.4], overall: 0.6,   speed: [180, 1200], quirks: OPENAI_5, picture: always(3_780), aliases: ["gpt-5-nano-2025-08-07"], shutdown: "2026-12-11" },
  { id: "o3",                            name: "o3",            usd: [2, 0.5, 2, 8],           overall: 0.8,   speed: [90, 5000],  window: 200_000, output: 100_000, abilities: REASONS, quirks: OPENAI_THINKS, lean: { reasoning: 0.03, writing: -0.05 }, aliases: ["o3-2025-04-16"], shutdown: "2026-12-11" },
  { ...GPT_4_1, id: "gpt-4.1",           name: "GPT-4.1",       usd: [2, 0.5, 2, 8],           overall: 0.7,   speed: [95, 500],   aliases: ["gpt-4.1-2025-04-14"] },
  { ...GPT_4_1, id: "gpt-4.1-mini",      name: "GPT-4.1 mini",  usd: [0.4, 0.1, 0.4, 1.6],     overall: 0.62,  speed: [120, 450],  picture: always(2_490), aliases: ["gpt-4.1-mini-2025-04-14"] },
  { ...GPT_4O, id: REFERENCE_MODEL_ID,   name: "GPT-4o",        usd: [2.5, 1.25, 2.5, 10],     overall: 0.64,  speed: [110, 450],  lean: { writing: 0.05 }, aliases: ["gpt-4o-2024-08-06", "gpt-4o-2024-11-20"] },
  { ...GPT_4O, id: "gpt-4o-mini",        name: "GPT-4o mini",   usd: [0.15, 0.075, 0.15, 0.6], overall: 0.52,  speed: [110, 450],  picture: { most: 48_170, low: 2_840 }, aliases: ["gpt-4o-mini-2024-07-18"] },
  { id: "gpt-audio-1.5",                 name: "GPT Audio 1.5", usd: [2.5, 2.5, 2.5, 10],      overall: 0.66,  speed: [80, 1200],  window: 128_000, output: 16_384, abilities: [...TOOLS, "audio_input"], quirks: { ...OPENAI_PLAIN, needsAudio: true }, audioUsd: 32 },
];

// biome-ignore format: a table
const ANTHROPIC: readonly Row[] = [
  { ...CLAUDE_MILLION, id: "claude-fable-5-2",  name: "Claude Fable 5.2",  usd: [8, 0.2, 10, 40],        overall: 0.955, speed: [75, 4000],  quirks: CLAUDE_THINKS },
  { ...CLAUDE_MILLION, id: "claude-fable-5-1",  name: "Claude Fable 5.1",  usd: [10, 0.25, 12.5, 50],    overall: 0.955, speed: [68, 4000],  quirks: CLAUDE_THINKS },
  { ...CLAUDE_MILLION, id: "claude-opus-5-5",   name: "Claude Opus 5.5",   usd: [4, 0.2, 5, 20],         overall: 0.95,  speed: [96, 2500],  quirks: CLAUDE_THINKS },
  { ...CLAUDE_MILLION, id: "claude-sonnet-5-5", name: "Claude Sonnet 5.5", usd: [2, 0.1, 2.5, 10],       overall: 0.93,  speed: [130, 1500], quirks: { ...CLAUDE_THINKS, notesBetweenTools: true } },
  { ...CLAUDE_MILLION, id: "claude-haiku-5-5",  name: "Claude Haiku 5.5",  usd: [0.1, 0.01, 0.125, 0.5], overall: 0.81,  speed: [190, 700],  quirks: CLAUDE_5, long: { above: 100_000, input: 5, output: 5 } },
  { ...CLAUDE_MILLION, id: "claude-opus-5",     name: "Claude Opus 5",     usd: [5, 0.5, 6.25, 25],      overall: 0.92,  speed: [85, 2500],  quirks: CLAUDE_5 },
  { ...CLAUDE_MILLION, id: "claude-sonnet-5",   name: "Claude Sonnet 5",   usd: [2, 0.2, 2.5, 10],       overall: 0.885, speed: [80, 1300],  quirks: { ...CLAUDE_5, efforts: ["low", "medium", "high", "max"] } },
  { ...CLAUDE_MILLION, id: "claude-fable-5",    name: "Claude Fable 5",    usd: [10, 1, 12.5, 50],       overall: 0.935, speed: [60, 4000],  quirks: { ...CLAUDE_5, thinking: "always" } },
  { ...CLAUDE_MILLION, id: "claude-opus-4-8",   name: "Claude Opus 4.8",   usd: [5, 0.5, 6.25, 25],      overall: 0.89,  speed: [75, 2000],  quirks: CLAUDE_5 },
  { ...CLAUDE_MILLION, id: "claude-opus-4-7",   name: "Claude Opus 4.7",   usd: [5, 0.5, 6.25, 25],      overall: 0.875, speed: [75, 2000],  quirks: { ...CLAUDE_5, systemInTurns: false } },
  { ...CLAUDE_4_6, id: "claude-opus-4-6",       name: "Claude Opus 4.6",   usd: [5, 0.5, 6.25, 25],      overall: 0.865, speed: [70, 2000] },
  { ...CLAUDE_4_5, id: "claude-opus-4-5",       name: "Claude Opus 4.5",   usd: [5, 0.5, 6.25, 25],      overall: 0.845, speed: [65, 2000],  lean: { writing: 0.02 }, upstream: "claude-opus-4-5-20251101" },
  { ...CLAUDE_4_6, id: "claude-sonnet-4-6",     name: "Claude Sonnet 4.6", usd: [3, 0.3, 3.75, 15],      overall: 0.85,  speed: [75, 1300] },
  { ...CLAUDE_4_5, id: "claude-sonnet-4-5",     name: "Claude Sonnet 4.5", usd: [3, 0.3, 3.75, 15],      overall: 0.82,  speed: [70, 1300],  lean: { writing: 0.02 }, upstream: "claude-sonnet-4-5-20250929", shutdown: "2026-11-30" },
  { ...CLAUDE_4_5, id: "claude-haiku-4-5",      name: "Claude Haiku 4.5",  usd: [1, 0.1, 1.25, 5],       overall: 0.75,  speed: [150, 600],  upstream: "claude-haiku-4-5-20251001" },
];

// biome-ignore format: a table
const GOOGLE: readonly Row[] = [
  { ...GEMINI_MILLION, id: "gemini-3.1-pro-preview", name: "Gemini 3.1 Pro",        usd: [2, 0.2, 2, 12],           overall: 0.86, speed: [120, 3100], quirks: { thinking: "level", efforts: ["low", "medium", "high"] }, long: GEMINI_LONG, aliases: ["gemini-3.1-pro"] },
  { ...GEMINI_MILLION, id: "gemini-3.8-flash",       name: "Gemini 3.8 Flash",      usd: [0.75, 0.075, 0.75, 3.75], overall: 0.85, speed: [180, 900],  quirks: { ...GEMINI_FIXED, efforts: ["low", "medium", "high"] } },
  { ...GEMINI_MILLION, id: "gemini-3.5-flash",       name: "Gemini 3.5 Flash",      usd: [1.5, 0.15, 1.5, 9],       overall: 0.82, speed: [180, 900],  quirks: { thinking: "level" } },
  { ...GEMINI_MILLION, id: "gemini-3.5-flash-lite",  name: "Gemini 3.5 Flash-Lite", usd: [0.3, 0.03, 0.3, 2.5],     overall: 0.74, speed: [290, 500],  quirks: GEMINI_FIXED },
  { ...GEMINI_MILLION, id: "gemini-3.1-flash-lite",  name: "Gemini 3.1 Flash-Lite", usd: [0.25, 0.025, 0.25, 1.5],  overall: 0.68, speed: [290, 500],  quirks: { thinking: "level" }, shutdown: "2027-05-07" },
  { ...GEMINI_MILLION, id: "gemini-2.5-pro",         name: "Gemini 2.5 Pro",        usd: [1.25, 0.125, 1.25, 10],   overall: 0.79, speed: [130, 3000], quirks: { thinking: "budget" }, long: GEMINI_LONG, shutdown: "2026-12-01" },
  { ...GEMINI_MILLION, id: "gemini-2.5-flash",       name: "Gemini 2.5 Flash",      usd: [0.3, 0.03, 0.3, 2.5],     overall: 0.7,  speed: [205, 400],  quirks: { thinking: "budget" }, audioUsd: 1, shutdown: "2026-12-01" },
  { ...GEMINI_MILLION, id: "gemini-2.5-flash-lite",  name: "Gemini 2.5 Flash-Lite", usd: [0.1, 0.01, 0.1, 0.4],     overall: 0.56, speed: [310, 300],  quirks: { thinking: "budget" }, audioUsd: 0.3 },
];

// biome-ignore format: a table
const GROQ: readonly Row[] = [
  { ...GPT_OSS, id: "gpt-oss-120b", name: "GPT-OSS 120B", usd: [0.15, 0.075, 0.15, 0.6],    overall: 0.7,  speed: [500, 300],  upstream: "openai/gpt-oss-120b" },
  { ...GPT_OSS, id: "gpt-oss-20b",  name: "GPT-OSS 20B",  usd: [0.075, 0.0375, 0.075, 0.3], overall: 0.57, speed: [1000, 250], upstream: "openai/gpt-oss-20b" },
];

// biome-ignore format: a table
const MISTRAL: readonly Row[] = [
  { id: "mistral-large-4",    name: "Mistral Large 4",    usd: [1.36, 0.14, 1.36, 4.18], overall: 0.81, speed: [70, 800],  window: 1_048_576, output: 128_000, abilities: PICTURES_REASONS, quirks: MISTRAL_TURNS, aliases: ["mistral-large-4-0", "mistral-large-latest"] },
  { id: "mistral-medium-3-5", name: "Mistral Medium 3.5", usd: [1.5, 0.15, 1.5, 7.5],    overall: 0.77, speed: [75, 700],  window: 256_000, output: 64_000, abilities: PICTURES_REASONS, quirks: MISTRAL_TURNS, aliases: ["mistral-medium-2604", "mistral-medium-latest"] },
  { id: "mistral-small-2603", name: "Mistral Small 4",    usd: [0.15, 0.015, 0.15, 0.6], overall: 0.64, speed: [140, 450], window: 256_000, output: 64_000, abilities: PICTURES, quirks: MISTRAL_TURNS, aliases: ["mistral-small-4", "mistral-small-latest"] },
];

// biome-ignore format: a table
const DEEPSEEK: readonly Row[] = [
  { ...DEEPSEEK_4, id: "deepseek-v4-pro", name: "DeepSeek V4 Pro",     usd: [1.32, 0.044, 1.32, 3.96], overall: 0.83, speed: [45, 1500], abilities: [...TOOLS, "json_mode", "reasoning"] },
  { ...DEEPSEEK_4, id: "deepseek-flash",  name: "DeepSeek V4.1 Flash", usd: [0.3, 0.006, 0.3, 1.2],    overall: 0.79, speed: [90, 1000], abilities: [...TOOLS, "vision", "json_mode", "reasoning"], aliases: ["deepseek-v4-flash"] },
];

// biome-ignore format: a table
const XAI: readonly Row[] = [
  { ...GROK, id: "grok-4.7", name: "Grok 4.7", usd: [2, 0.5, 2, 6],         overall: 0.89, speed: [90, 3000] },
  { ...GROK, id: "grok-4.6", name: "Grok 4.6", usd: [2, 0.5, 2, 6],         overall: 0.88, speed: [90, 3000] },
  { ...GROK, id: "grok-4.3", name: "Grok 4.3", usd: [1.25, 0.2, 1.25, 2.5], overall: 0.81, speed: [160, 1500], window: 1_000_000, quirks: { ...COMPLETION_TOKENS, efforts: ["none", "low", "medium", "high"] } },
];

/**
 * The most that recorded calls were billed for having tools, beyond the tools' own text. Anthropic documents such instructions for each of
 * its models; those of the models that Groq serves are not known.
 */
const TOOL_TOKENS: Record<string, number> = { openai: 16, anthropic: 600, google: 80, mistral: 16, deepseek: 160, xai: 32 };

const ROWS = { openai: OPENAI, anthropic: ANTHROPIC, google: GOOGLE, groq: GROQ, mistral: MISTRAL, deepseek: DEEPSEEK, xai: XAI };

export const CHAT_MODELS: readonly ChatModel[] = Object.entries(ROWS).flatMap(([provider, rows]) =>
  rows.map((row) => chatModel(provider, row)),
);

function chatModel(provider: string, row: Row): ChatModel {
  const aliases = [...(row.aliases ?? []), ...withDot(row.id)];
  return {
    id: row.id,
    provider,
    upstreamModel: row.upstream ?? row.id,
    name: row.name,
    contextWindow: row.window,
    maxOutputTokens: row.output,
    prices: { ...tokenPrices(row.usd), ...given({ audioInputNanoUsd: row.audioUsd && nanoUsdPerToken(row.audioUsd) }) },
    abilities: row.abilities,
    strength: strengthFrom(row.overall, row.lean),
    tokensPerSecond: row.speed[0],
    firstTokenMs: row.speed[1],
    ...given({
      aliases: aliases.length > 0 ? aliases : undefined,
      longPrompt: row.long && longPrompt(row.usd, row.long),
      shutdownDate: row.shutdown,
      pictureTokens: row.picture,
      tokenScale: row.scale,
      toolTokens: TOOL_TOKENS[provider],
      quirks: row.quirks,
    }),
  };
}

function longPrompt([read, cacheRead, cacheWrite, written]: Usd, { above, input, output }: NonNullable<Row["long"]>) {
  const prices = tokenPrices([read * input, cacheRead * input, cacheWrite * input, written * output]);
  return { aboveTokens: above, prices };
}

/** OpenRouter and others write versions with a dot, as `claude-opus-5.5`. */
function withDot(id: string): string[] {
  return /-\d-\d$/.test(id) ? [id.replace(/-(?=\d$)/, ".")] : [];
}

function tokenPrices([input, cacheRead, cacheWrite, output]: Usd): TokenPrices {
  return {
    inputNanoUsd: nanoUsdPerToken(input),
    cacheReadNanoUsd: nanoUsdPerToken(cacheRead),
    cacheWriteNanoUsd: nanoUsdPerToken(cacheWrite),
    outputNanoUsd: nanoUsdPerToken(output),
  };
}
