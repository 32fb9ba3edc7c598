/** The names of OpenTelemetry's GenAI conventions for our kinds of call and providers, which other vendors' dashboards look for. */

import { ownValue } from "../lib/own-value.ts";
import type { CallKind } from "../logs/call.ts";

export const OPERATIONS: Readonly<Record<CallKind, string>> = {
  chat: "chat",
  embedding: "embeddings",
  image: "generate_content",
  video: "generate_content",
  speech: "generate_content",
  transcription: "generate_content",
  search: "execute_tool",
  rerank: "rerank",
  moderation: "moderation",
};

/** Well-known values of the conventions that differ from our catalog's ids. */
const PROVIDERS: Readonly<Record<string, string>> = { google: "gcp.gemini", mistral: "mistral_ai", xai: "x_ai" };

export const providerNameOf = (provider: string): string => ownValue(PROVIDERS, provider) ?? provider;
