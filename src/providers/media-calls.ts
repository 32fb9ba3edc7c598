/** Requests to and results from providers of images, sound, video, search, reranking and moderation: the other half of the interface in `provider.ts`. */

export type ImageRequest = {
  prompt: string;
  n: number;
  width: number;
  height: number;
  quality: "standard" | "hd";
  style: "vivid" | "natural";
};
/** PNG, JPEG or WebP. */
export type Picture = { bytes: Uint8Array; mediaType: string; extension: string };
/** `mask`: a PNG of the first picture's size, transparent where that is to be changed. */
export type PictureSource = { pictures: readonly Picture[]; mask?: Picture };
export type EditRequest = ImageRequest & PictureSource;
/** The bytes, or a short-lived URL to fetch through the outbound guard. */
export type GeneratedImage = ({ bytes: Uint8Array } | { url: string }) & { revisedPrompt?: string };

export type SpeechRequest = {
  input: string;
  voice: string;
  format: "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm";
  speed: number;
};

export type TranscriptionRequest = {
  bytes: Uint8Array;
  filename: string;
  mediaType: string;
  language?: string;
  /** Words that guide the spelling. */
  prompt?: string;
  /** Whether timestamps of words are requested. */
  words?: boolean;
  /** From 0 to 1; of translations only. */
  temperature?: number;
  /** Read from the container, seconds. */
  durationSeconds: number;
};
/** In seconds. */
export type TimedText = { start: number; end: number; text: string };
/** `figures`: how sure the upstream is of it, by OpenAI's names. */
export type SpokenText = TimedText & { figures?: Record<string, number> };
export type TimedWord = { word: string; start: number; end: number };
export type Transcription = {
  text: string;
  language?: string;
  segments?: SpokenText[];
  words?: TimedWord[];
};

export type VideoRequest = {
  prompt: string;
  durationSeconds: number;
  resolution: "720p" | "1080p";
  aspectRatio: "16:9" | "9:16" | "1:1" | "4:3";
};
export type VideoStatus =
  | { state: "pending" }
  | { state: "processing"; progressPercent?: number }
  | ({ state: "complete" } & FinishedVideo)
  | { state: "failed"; message: string };
/** `headers`: what the URL wants to be asked with. */
export type FinishedVideo = { bytes: Uint8Array } | { url: string; headers?: Record<string, string> };

export type SearchRequest = {
  query: string;
  maxResults: number;
  depth: "basic" | "advanced";
  includeDomains: string[];
  excludeDomains: string[];
};
/** `relevanceScore` lies in 0-1. */
export type SearchResult = { title: string; url: string; content: string; relevanceScore: number };

export type RerankRequest = { query: string; documents: readonly string[]; topN: number; maxTokensPerDocument: number };
export type Ranked = { index: number; score: number };
/** Scores are 0-1; of equal ones the better comes first. What the upstream counted, if it says so. */
export type RerankResult = { ranked: Ranked[]; tokens?: number; searchUnits?: number };

/** Texts to be judged one by one, or parts of one message. An image's URL is a data: URL or a checked https: URL. */
export type ModerationRequest = { texts: readonly string[] } | { parts: readonly ModerationPart[] };
export type ModerationPart = { type: "text"; text: string } | { type: "image"; url: string };
/** By the names of the upstream's categories. `types`: in which kinds of input each was looked for. */
export type ModerationVerdict = {
  flagged: boolean;
  categories: Record<string, boolean>;
  scores: Record<string, number>;
  types: Record<string, readonly string[]>;
};
/** What the upstream counted, if it says so. */
export type ModerationResult = { verdicts: ModerationVerdict[]; tokens?: number };
