/** What OpenTelemetry's GenAI conventions call our kinds of call and our providers; dashboards of other makers look for these names. */

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
};

/** Of the conventions' well-known values, those that are not our catalog's ids. */
const PROVIDERS: Readonly<Record<string, string>> = { google: "gcp.gemini", mistral: "mistral_ai", xai: "x_ai" };

export const providerNameOf = (provider: string): string => ownValue(PROVIDERS, provider) ?? provider;
