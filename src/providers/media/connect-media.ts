/** The adapter of each vendor of media, search or reranking; providers with chat only have none. */

import { isOpenAiDialect } from "../../catalog/model.ts";
import { ownValue } from "../../lib/own-value.ts";
import type { Provider } from "../provider.ts";
import { cohereRerank, rerank, voyageRerank } from "../rerank/rerankers.ts";
import { brave } from "../search/brave.ts";
import { exa } from "../search/exa.ts";
import { searxng } from "../search/searxng.ts";
import { tavily } from "../search/tavily.ts";
import type { SERVICES } from "../targets/targets-call.ts";
import { bfl } from "./bfl.ts";
import { fal } from "./fal.ts";
import { geminiImages } from "./gemini-images.ts";
import { geminiVideos } from "./gemini-videos.ts";
import { ideogram } from "./ideogram.ts";
import { luma } from "./luma.ts";
import { openAiAudio } from "./openai-audio.ts";
import { openAiImages } from "./openai-images.ts";
import { openAiModerations } from "./openai-moderations.ts";
import { replicate } from "./replicate.ts";
import { runway } from "./runway.ts";
import type { MediaEndpoint } from "./send-media-request.ts";
import { stability } from "./stability.ts";

export type MediaServices = Pick<Provider, Exclude<keyof typeof SERVICES, "embed"> | "videoStatus">;

const CONNECT: Record<string, (endpoint: MediaEndpoint) => MediaServices> = {
  google: (endpoint) => ({ ...geminiImages(endpoint), ...geminiVideos(endpoint) }),
  stability,
  bfl,
  ideogram,
  replicate,
  fal,
  runway,
  luma,
  tavily,
  brave,
  exa,
  searxng,
  cohere: cohereRerank,
  jina: rerank,
  voyage: voyageRerank,
};

/** `dialect` decides for the many servers that imitate OpenAI. */
export const connectMedia = (providerId: string, dialect: string | null, endpoint: MediaEndpoint): MediaServices => {
  const connect = ownValue(CONNECT, providerId);
  if (connect !== undefined) return connect(endpoint);
  return isOpenAiDialect(dialect)
    ? { ...openAiImages(endpoint), ...openAiAudio(endpoint), ...rerank(endpoint), ...openAiModerations(endpoint) }
    : {};
};
