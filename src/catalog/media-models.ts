/**
 * The neutral media models of spec.md: their options, their prices, and the upstreams that can serve them. Targets are tried in order; an
 * operator may replace a model's whole list (decisions §9, §11).
 */

/** The video options of an upstream, if it does not offer everything; the nearest is requested. */
type VideoOffer = {
  /** Seconds, rising; the nearest that is not shorter. */
  durations?: readonly number[];
  resolutions?: readonly ("720p" | "1080p")[];
  aspectRatios?: readonly ("16:9" | "9:16" | "1:1" | "4:3")[];
};

/** One upstream model that can serve a neutral id. */
export type MediaTarget = VideoOffer & {
  provider: string;
  model: string;
  /** Speech: our voice names → the upstream's; a name without an entry goes as it is. */
  voices?: Readonly<Record<string, string>>;
  /** Transcription: the upstream's model that translates speech into English; absent if it has none. */
  translator?: string;
  /** Images: what edits pictures there; absent if nothing does. */
  editor?: Editor;
};

/** The upstream's model that edits, how many pictures it takes at once (by default one), and whether it reads OpenAI's masks. */
export type Editor = { model: string; pictures?: number; masks?: boolean };

type ImageQuality = "standard" | "hd";

type Common = { id: string; name: string; targets: readonly MediaTarget[] };

export type ImageModel = Common & {
  kind: "image";
  /** The first is the reference size; prices differ by size only as `sizeNanoUsd` says. */
  sizes: readonly string[];
  /** Whether any multiple of 8 from 256 to 2048 on each side is accepted too (decisions §9). */
  customSizes: boolean;
  maxImages: number;
  nanoUsd: number;
  hdNanoUsd?: number;
  sizeNanoUsd?: Readonly<Record<string, number>>;
  /** Whether it accepts `quality: hd` and `style: natural`. */
  styled: boolean;
};

export type VideoModel = Common & { kind: "video"; maxDurationSeconds: number; nanoUsdPerSecond: number };
export type SpeechModel = Common & { kind: "speech"; nanoUsdPerCharacter: number };
export type TranscriptionModel = Common & { kind: "transcription"; nanoUsdPerMinute: number };
/** As its vendor bills it: each search (of up to 100 documents, see `searchUnits`), or the tokens of query and documents. */
export type RerankModel = Common & { kind: "rerank"; nanoUsdPerSearch: number; nanoUsdPerToken: number };
export type ModerationModel = Common & { kind: "moderation"; nanoUsdPerToken: number };
export type MediaModel = ImageModel | VideoModel | SpeechModel | TranscriptionModel | RerankModel | ModerationModel;

const target = (provider: string, model: string, offer: Omit<MediaTarget, "provider" | "model"> = {}): MediaTarget => ({
  provider,
  model,
  ...offer,
});

/** OpenAI's own limit. */
const gptEditor = (model: string, masks = false): { editor: Editor } => ({ editor: { model, pictures: 16, masks } });

const WIDE_OR_TALL = ["16:9", "9:16"] as const;

// biome-ignore format: a table
export const IMAGE_MODELS: readonly ImageModel[] = [
  { kind: "image", id: "image-a-3", name: "Image A 3", sizes: ["1024x1024", "1792x1024", "1024x1792"], customSizes: false, maxImages: 1, nanoUsd: 40_000_000, hdNanoUsd: 80_000_000, styled: true,
    targets: [target("openai", "gpt-image-2", gptEditor("gpt-image-2", true)), target("replicate", "openai/gpt-image-2"), target("fal", "openai/gpt-image-2", gptEditor("openai/gpt-image-2/edit"))] },
  { kind: "image", id: "image-a-2", name: "Image A 2", sizes: ["256x256", "512x512", "1024x1024"], customSizes: false, maxImages: 10, nanoUsd: 20_000_000, sizeNanoUsd: { "256x256": 16_000_000, "512x512": 18_000_000, "1024x1024": 20_000_000 }, styled: false,
    targets: [target("openai", "gpt-image-2", gptEditor("gpt-image-2", true))] },
  { kind: "image", id: "image-b-3", name: "Image B 3", sizes: ["1024x1024"], customSizes: true, maxImages: 4, nanoUsd: 35_000_000, styled: false,
    targets: [target("stability", "sd3.5-large"), target("replicate", "stability-ai/stable-diffusion-3.5-large"), target("fal", "fal-ai/stable-diffusion-v35-large")] },
  { kind: "image", id: "image-c-pro", name: "Image C Pro", sizes: ["1024x1024"], customSizes: true, maxImages: 4, nanoUsd: 55_000_000, styled: false,
    targets: [target("bfl", "flux-pro-1.1", { editor: { model: "flux-kontext-pro", pictures: 4 } }), target("replicate", "black-forest-labs/flux-1.1-pro"), target("fal", "fal-ai/flux-pro/v1.1", { editor: { model: "fal-ai/flux-pro/kontext" } })] },
  { kind: "image", id: "image-c-dev", name: "Image C Dev", sizes: ["1024x1024"], customSizes: true, maxImages: 4, nanoUsd: 25_000_000, styled: false,
    targets: [target("bfl", "flux-dev"), target("replicate", "black-forest-labs/flux-dev"), target("fal", "fal-ai/flux/dev", { editor: { model: "fal-ai/flux-kontext/dev" } })] },
  { kind: "image", id: "image-d-2", name: "Image D 2", sizes: ["1024x1024"], customSizes: true, maxImages: 4, nanoUsd: 40_000_000, styled: false,
    targets: [target("ideogram", "v3"), target("replicate", "ideogram-ai/ideogram-v3-turbo"), target("fal", "fal-ai/ideogram/v3")] },
  { kind: "image", id: "image-e-3", name: "Image E 3", sizes: ["1024x1024"], customSizes: false, maxImages: 4, nanoUsd: 40_000_000, styled: false,
    targets: [target("google", "gemini-nano-banana-2.1", { editor: { model: "gemini-nano-banana-2.1", pictures: 14 } }), target("replicate", "google/nano-banana"), target("fal", "fal-ai/nano-banana", { editor: { model: "fal-ai/nano-banana/edit", pictures: 3 } })] },
];

// biome-ignore format: a table
export const VIDEO_MODELS: readonly VideoModel[] = [
  { kind: "video", id: "video-a-3", name: "Video A 3", maxDurationSeconds: 60, nanoUsdPerSecond: 350_000_000,
    targets: [
      target("google", "gemini-omni-1.1-flash"),
      target("replicate", "google/veo-3.1", { durations: [4, 6, 8], aspectRatios: WIDE_OR_TALL }),
      target("fal", "fal-ai/veo3.1", { durations: [4, 6, 8], aspectRatios: WIDE_OR_TALL }),
      // Ended in Google's own API; servers that stand in for it may still have it.
      target("google", "veo-3.1-generate-preview"),
    ] },
  { kind: "video", id: "video-b-gen3", name: "Video B Gen 3", maxDurationSeconds: 16, nanoUsdPerSecond: 100_000_000,
    targets: [target("runway", "gen4.5", { resolutions: ["720p"], aspectRatios: WIDE_OR_TALL }), target("replicate", "runwayml/gen-4.5", { durations: [5, 10] })] },
  { kind: "video", id: "video-c", name: "Video C", maxDurationSeconds: 10, nanoUsdPerSecond: 60_000_000,
    targets: [
      target("luma", "ray-2"),
      target("replicate", "luma/ray-2-720p", { durations: [5, 9] }),
      target("fal", "fal-ai/luma-dream-machine/ray-2", { durations: [5, 9], aspectRatios: ["16:9", "9:16", "4:3"] }),
    ] },
  { kind: "video", id: "video-d", name: "Video D", maxDurationSeconds: 4, nanoUsdPerSecond: 67_000_000,
    // Stability's own text-to-video service has ended; its format remains for servers that still use it.
    targets: [
      target("replicate", "wan-video/wan-2.2-t2v-fast", { resolutions: ["720p"], aspectRatios: WIDE_OR_TALL }),
      target("fal", "fal-ai/wan/v2.2-a14b/text-to-video", { resolutions: ["720p"], aspectRatios: ["16:9", "9:16", "1:1"] }),
      target("stability", "svd"),
    ] },
];

// biome-ignore format: a table
export const SPEECH_MODELS: readonly SpeechModel[] = [
  { kind: "speech", id: "tts-1", name: "TTS 1", nanoUsdPerCharacter: 15_000,
    targets: [target("openai", "tts-1"), target("openai", "gpt-4o-mini-tts")] },
  { kind: "speech", id: "tts-1-hd", name: "TTS 1 HD", nanoUsdPerCharacter: 30_000,
    targets: [target("openai", "tts-1-hd"), target("openai", "gpt-4o-mini-tts")] },
];

// biome-ignore format: a table
export const TRANSCRIPTION_MODELS: readonly TranscriptionModel[] = [
  { kind: "transcription", id: "transcribe-1", name: "Transcribe 1", nanoUsdPerMinute: 6_000_000,
    targets: [
      target("openai", "whisper-1", { translator: "whisper-1" }),
      // The turbo model was not trained to translate.
      target("groq", "whisper-large-v3-turbo", { translator: "whisper-large-v3" }),
      target("mistral", "voxtral-mini-latest"),
      target("fal", "fal-ai/wizper", { translator: "fal-ai/wizper" }),
      target("openai", "gpt-transcribe"),
    ] },
];

/** What `auto` means: the local encoder and the words, which are always there. */
export const LOCAL_RERANK_ID = "rerank-local";
/** Under their vendors' names. Prices as of 2026-11-23, from the vendors' price pages; Jina's is that of its smaller package of tokens. */
// biome-ignore format: a table
export const RERANK_MODELS: readonly RerankModel[] = [
  { kind: "rerank", id: LOCAL_RERANK_ID, name: "Local encoder and words", nanoUsdPerSearch: 0, nanoUsdPerToken: 0, targets: [target("local", LOCAL_RERANK_ID)] },
  { kind: "rerank", id: "rerank-v3.5", name: "Cohere Rerank 3.5", nanoUsdPerSearch: 2_000_000, nanoUsdPerToken: 0,
    targets: [target("cohere", "rerank-v3.5"), target("openrouter", "cohere/rerank-v3.5")] },
  { kind: "rerank", id: "rerank-v4.0-fast", name: "Cohere Rerank 4 Fast", nanoUsdPerSearch: 2_000_000, nanoUsdPerToken: 0,
    targets: [target("cohere", "rerank-v4.0-fast"), target("openrouter", "cohere/rerank-4-fast")] },
  { kind: "rerank", id: "rerank-v4.0-pro", name: "Cohere Rerank 4 Pro", nanoUsdPerSearch: 2_500_000, nanoUsdPerToken: 0,
    targets: [target("cohere", "rerank-v4.0-pro"), target("openrouter", "cohere/rerank-4-pro")] },
  { kind: "rerank", id: "jina-reranker-v3", name: "Jina Reranker 3", nanoUsdPerSearch: 0, nanoUsdPerToken: 50, targets: [target("jina", "jina-reranker-v3")] },
  { kind: "rerank", id: "rerank-2.5", name: "Voyage Rerank 2.5", nanoUsdPerSearch: 0, nanoUsdPerToken: 50, targets: [target("voyage", "rerank-2.5")] },
  { kind: "rerank", id: "rerank-2.5-lite", name: "Voyage Rerank 2.5 Lite", nanoUsdPerSearch: 0, nanoUsdPerToken: 20, targets: [target("voyage", "rerank-2.5-lite")] },
  // The operator's own, whose servers the settings name; free, because what such a machine costs is not known here.
  { kind: "rerank", id: "rerank-own", name: "Own reranker", nanoUsdPerSearch: 0, nanoUsdPerToken: 0, targets: [] },
];

/** Under their vendors' names. OpenAI's is free; prices as of 2026-11-23, from the vendors' price pages. */
export const MODERATION_MODELS: readonly ModerationModel[] = [
  {
    kind: "moderation",
    id: "omni-moderation-latest",
    name: "Omni Moderation",
    nanoUsdPerToken: 0,
    targets: [target("openai", "omni-moderation-latest")],
  },
  {
    kind: "moderation",
    id: "mistral-moderation-latest",
    name: "Mistral Moderation",
    nanoUsdPerToken: 100,
    targets: [target("mistral", "mistral-moderation-latest")],
  },
];

/** Web search has one neutral id; the targets are the search engines, in the order they are tried. */
export const SEARCH_TARGETS: readonly MediaTarget[] = ["tavily", "brave", "exa", "searxng"].map((id) => target(id, "web-search"));

export const MEDIA_MODELS: readonly MediaModel[] = [
  ...IMAGE_MODELS,
  ...VIDEO_MODELS,
  ...SPEECH_MODELS,
  ...TRANSCRIPTION_MODELS,
  ...RERANK_MODELS,
  ...MODERATION_MODELS,
];

type PriceUnit = "image" | "second" | "1,000 characters" | "minute" | "search" | "1,000,000 tokens";

/** The unit of a model's price; an image's is for standard quality and the largest plain size. */
export const unitPriceOf = (model: MediaModel): { nanoUsd: number; unit: PriceUnit } => {
  switch (model.kind) {
    case "image":
      return { nanoUsd: model.nanoUsd, unit: "image" };
    case "video":
      return { nanoUsd: model.nanoUsdPerSecond, unit: "second" };
    case "speech":
      return { nanoUsd: model.nanoUsdPerCharacter * 1_000, unit: "1,000 characters" };
    case "transcription":
      return { nanoUsd: model.nanoUsdPerMinute, unit: "minute" };
    case "rerank":
      return model.nanoUsdPerToken > 0
        ? { nanoUsd: model.nanoUsdPerToken * 1_000_000, unit: "1,000,000 tokens" }
        : { nanoUsd: model.nanoUsdPerSearch, unit: "search" };
    case "moderation":
      return { nanoUsd: model.nanoUsdPerToken * 1_000_000, unit: "1,000,000 tokens" };
  }
};

export const findImageModel = (id: string): ImageModel | undefined => IMAGE_MODELS.find((model) => model.id === id);
export const findVideoModel = (id: string): VideoModel | undefined => VIDEO_MODELS.find((model) => model.id === id);
export const findSpeechModel = (id: string): SpeechModel | undefined => SPEECH_MODELS.find((model) => model.id === id);

const CUSTOM_MIN = 256;
const CUSTOM_MAX = 2048;
const CUSTOM_STEP = 8;

/** Reads `1024x768`; undefined if it is not a size, or not one of the model's. */
export const readImageSize = (model: ImageModel, size: string): { width: number; height: number } | undefined => {
  const match = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(size);
  if (!match) return undefined;
  const [width, height] = [Number(match[1]), Number(match[2])];
  if (model.sizes.includes(size)) return { width, height };
  const fits = (side: number) => side >= CUSTOM_MIN && side <= CUSTOM_MAX && side % CUSTOM_STEP === 0;
  return model.customSizes && fits(width) && fits(height) ? { width, height } : undefined;
};

export const imageNanoUsd = (model: ImageModel, size: string, quality: ImageQuality): number =>
  (quality === "hd" ? model.hdNanoUsd : undefined) ?? model.sizeNanoUsd?.[size] ?? model.nanoUsd;

/** A fraction of a second costs its fraction; rounded up to a whole nano-USD. */
export const videoNanoUsd = (model: VideoModel, durationSeconds: number): number =>
  Math.ceil(model.nanoUsdPerSecond * durationSeconds);

/** Characters are Unicode code points, so that an emoji costs what a letter costs. */
export const speechNanoUsd = (model: SpeechModel, input: string): number => model.nanoUsdPerCharacter * [...input].length;

export const transcriptionNanoUsd = (model: TranscriptionModel, durationSeconds: number): number =>
  Math.ceil((model.nanoUsdPerMinute * durationSeconds) / 60);
