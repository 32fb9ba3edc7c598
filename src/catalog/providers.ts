/** The providers Signalbox knows: where they live, which variables hold their keys (decisions §1, §11; field notes §3). */

import type { ProviderEntry } from "./model.ts";

export const PROVIDERS: readonly ProviderEntry[] = [
  vendor("openai", "OpenAI", "openai", "https://api.openai.com/v1", [
    "chat",
    "embeddings",
    "images",
    "edits",
    "speech",
    "transcription",
    "moderations",
  ]),
  vendor("anthropic", "Anthropic", "anthropic", "https://api.anthropic.com", ["chat"]),
  {
    id: "google",
    name: "Google Gemini",
    dialect: "google",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrlVariables: ["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
    baseUrl: "https://generativelanguage.googleapis.com",
    services: ["chat", "embeddings", "images", "edits", "video"],
  },
  vendor("groq", "Groq", "openai", "https://api.groq.com/openai/v1", ["chat", "transcription"]),
  vendor("mistral", "Mistral", "openai", "https://api.mistral.ai/v1", ["chat", "embeddings", "transcription", "moderations"]),
  vendor("deepseek", "DeepSeek", "openai", "https://api.deepseek.com/v1", ["chat"]),
  vendor("xai", "xAI", "openai", "https://api.x.ai/v1", ["chat"]),
  { ...vendor("openrouter", "OpenRouter", "openai", "https://openrouter.ai/api/v1", ["chat", "rerank"]), runsOpenModels: true },
  { ...vendor("together", "Together", "openai", "https://api.together.xyz/v1", ["chat", "embeddings"]), runsOpenModels: true },
  {
    id: "ollama",
    name: "Ollama",
    dialect: "ollama",
    keyVariables: ["OLLAMA_API_KEY"],
    baseUrlVariables: ["OLLAMA_HOST", "OLLAMA_BASE_URL"],
    baseUrl: "http://127.0.0.1:11434",
    runsOpenModels: true,
    services: ["chat", "embeddings"],
  },
  {
    id: "sandbox",
    name: "Sandbox",
    dialect: "sandbox",
    keyVariables: [],
    baseUrlVariables: [],
    services: ["chat", "embeddings", "images", "edits", "video", "speech", "transcription", "search", "rerank", "moderations"],
  },
  {
    id: "local",
    name: "Local encoder",
    dialect: "local",
    keyVariables: [],
    baseUrlVariables: [],
    services: ["embeddings", "rerank"],
  },
  vendor("stability", "Stability AI", null, "https://api.stability.ai", ["images", "video"]),
  vendor("bfl", "Black Forest Labs", null, "https://api.bfl.ai", ["images", "edits"]),
  vendor("ideogram", "Ideogram", null, "https://api.ideogram.ai", ["images"]),
  {
    ...vendor("replicate", "Replicate", null, "https://api.replicate.com", ["images", "video"]),
    keyVariables: ["REPLICATE_API_TOKEN", "REPLICATE_API_KEY"],
  },
  {
    ...vendor("fal", "fal", null, "https://queue.fal.run", ["images", "edits", "video", "transcription"]),
    keyVariables: ["FAL_KEY", "FAL_API_KEY"],
  },
  {
    ...vendor("runway", "Runway", null, "https://api.dev.runwayml.com", ["video"]),
    keyVariables: ["RUNWAYML_API_SECRET", "RUNWAY_API_KEY"],
    baseUrlVariables: ["RUNWAYML_BASE_URL", "RUNWAY_BASE_URL"],
  },
  {
    ...vendor("luma", "Luma", null, "https://api.lumalabs.ai/dream-machine", ["video"]),
    keyVariables: ["LUMAAI_API_KEY", "LUMA_API_KEY"],
    baseUrlVariables: ["LUMAAI_BASE_URL", "LUMA_BASE_URL"],
  },
  vendor("tavily", "Tavily", null, "https://api.tavily.com", ["search"]),
  {
    ...vendor("brave", "Brave Search", null, "https://api.search.brave.com", ["search"]),
    keyVariables: ["BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"],
  },
  vendor("exa", "Exa", null, "https://api.exa.ai", ["search"]),
  {
    id: "searxng",
    name: "SearXNG",
    dialect: null,
    keyVariables: [],
    baseUrlVariables: ["SEARXNG_URL", "SEARXNG_BASE_URL", "SEARXNG_API_BASE"],
    services: ["search"],
  },
  // Beside their rerankers they have endpoints in OpenAI's format, for models that an operator adds.
  {
    ...vendor("cohere", "Cohere", "openai", "https://api.cohere.com/compatibility/v1", ["chat", "embeddings", "rerank"]),
    keyVariables: ["COHERE_API_KEY", "CO_API_KEY"],
  },
  vendor("jina", "Jina AI", "openai", "https://api.jina.ai/v1", ["embeddings", "rerank"]),
  vendor("voyage", "Voyage AI", "openai", "https://api.voyageai.com/v1", ["embeddings", "rerank"]),
];

/** What OpenRouter and LiteLLM write before a model's name, if it is another word than the provider's id. */
export const OTHER_PREFIXES: Readonly<Record<string, string>> = { google: "gemini", mistral: "mistralai", xai: "x-ai" };

/**
 * With the usual variables. `dialect` null: a vendor with an API of its own for media or search, whose adapter is found by its id
 * (`providers/media/connect-media.ts`).
 */
function vendor(
  id: string,
  name: string,
  dialect: ProviderEntry["dialect"],
  baseUrl: string,
  services: ProviderEntry["services"],
): ProviderEntry {
  const prefix = id.toUpperCase();
  return { id, name, dialect, keyVariables: [`${prefix}_API_KEY`], baseUrlVariables: [`${prefix}_BASE_URL`], baseUrl, services };
}
