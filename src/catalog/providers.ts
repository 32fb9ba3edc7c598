/** The providers Signalbox knows: where they live, which variables hold their keys (decisions §1, §11; field notes §3). */

import type { ProviderEntry } from "./model.ts";

export const PROVIDERS: readonly ProviderEntry[] = [
  {
    id: "openai",
    name: "OpenAI",
    dialect: "openai",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariables: ["OPENAI_BASE_URL"],
    baseUrl: "https://api.openai.com/v1",
    services: ["chat", "embeddings", "images", "speech", "transcription"],
  },
  {
    id: "anthropic",
    name: "Anthropic",
    dialect: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    baseUrl: "https://api.anthropic.com",
    services: ["chat"],
  },
  {
    id: "google",
    name: "Google Gemini",
    dialect: "google",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrlVariables: ["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
    baseUrl: "https://generativelanguage.googleapis.com",
    services: ["chat", "embeddings", "images", "video"],
  },
  openAiCompatible("groq", "Groq", "https://api.groq.com/openai/v1", ["chat", "transcription"]),
  openAiCompatible("mistral", "Mistral", "https://api.mistral.ai/v1", ["chat", "embeddings", "transcription"]),
  openAiCompatible("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
  openAiCompatible("xai", "xAI", "https://api.x.ai/v1"),
  openAiCompatible("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
  openAiCompatible("together", "Together", "https://api.together.xyz/v1", ["chat", "embeddings"]),
  {
    id: "ollama",
    name: "Ollama",
    dialect: "ollama",
    keyVariables: ["OLLAMA_API_KEY"],
    baseUrlVariables: ["OLLAMA_HOST", "OLLAMA_BASE_URL"],
    baseUrl: "http://127.0.0.1:11434",
    services: ["chat", "embeddings"],
  },
  {
    id: "sandbox",
    name: "Sandbox",
    dialect: "sandbox",
    keyVariables: [],
    baseUrlVariables: [],
    services: ["chat", "embeddings", "images", "video", "speech", "transcription", "search"],
  },
  { id: "local", name: "Local encoder", dialect: "local", keyVariables: [], baseUrlVariables: [], services: ["embeddings"] },
  media("stability", "Stability AI", "STABILITY", "https://api.stability.ai", ["images", "video"]),
  media("bfl", "Black Forest Labs", "BFL", "https://api.bfl.ai", ["images"]),
  media("ideogram", "Ideogram", "IDEOGRAM", "https://api.ideogram.ai", ["images"]),
  {
    ...media("replicate", "Replicate", "REPLICATE", "https://api.replicate.com", ["images", "video"]),
    keyVariables: ["REPLICATE_API_TOKEN", "REPLICATE_API_KEY"],
  },
  {
    ...media("fal", "fal", "FAL", "https://queue.fal.run", ["images", "video", "transcription"]),
    keyVariables: ["FAL_KEY", "FAL_API_KEY"],
  },
  {
    ...media("runway", "Runway", "RUNWAY", "https://api.dev.runwayml.com", ["video"]),
    keyVariables: ["RUNWAYML_API_SECRET", "RUNWAY_API_KEY"],
    baseUrlVariables: ["RUNWAYML_BASE_URL", "RUNWAY_BASE_URL"],
  },
  {
    ...media("luma", "Luma", "LUMA", "https://api.lumalabs.ai/dream-machine", ["video"]),
    keyVariables: ["LUMAAI_API_KEY", "LUMA_API_KEY"],
    baseUrlVariables: ["LUMAAI_BASE_URL", "LUMA_BASE_URL"],
  },
  media("tavily", "Tavily", "TAVILY", "https://api.tavily.com", ["search"]),
  {
    ...media("brave", "Brave Search", "BRAVE", "https://api.search.brave.com", ["search"]),
    keyVariables: ["BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"],
  },
  media("exa", "Exa", "EXA", "https://api.exa.ai", ["search"]),
  {
    id: "searxng",
    name: "SearXNG",
    dialect: null,
    keyVariables: [],
    baseUrlVariables: ["SEARXNG_URL", "SEARXNG_BASE_URL", "SEARXNG_API_BASE"],
    services: ["search"],
  },
];

function openAiCompatible(
  id: string,
  name: string,
  baseUrl: string,
  services: ProviderEntry["services"] = ["chat"],
): ProviderEntry {
  const prefix = id.toUpperCase();
  return {
    id,
    name,
    dialect: "openai",
    keyVariables: [`${prefix}_API_KEY`],
    baseUrlVariables: [`${prefix}_BASE_URL`],
    baseUrl,
    services,
  };
}

/** A vendor with an API of its own for media or search; `dialect` null: its folder in providers/ is found by id. */
function media(id: string, name: string, prefix: string, baseUrl: string, services: ProviderEntry["services"]): ProviderEntry {
  return {
    id,
    name,
    dialect: null,
    keyVariables: [`${prefix}_API_KEY`],
    baseUrlVariables: [`${prefix}_BASE_URL`],
    baseUrl,
    services,
  };
}
