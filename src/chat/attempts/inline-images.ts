/** Fetches pictures that callers name by URL for providers that take bytes only (Gemini, Ollama), through the outbound guard. */

import { invalidRequest } from "../../api-error.ts";
import { fetchGuarded } from "../../http/outbound-guard.ts";
import type { Platform } from "../../platform.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "../../providers/provider.ts";
import { dialectOf } from "../dialect-of.ts";

const LARGEST_BYTES = 20_000_000;
const LONGEST_MS = 15_000;
const MEDIA_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const TAKES_BYTES_ONLY = new Set(["google", "ollama"]);

/** Unchanged where the provider fetches URLs itself or none is there. Throws 400 with the place of the URL. */
export const inlineImages = async (
  platform: Platform,
  providerId: string,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatRequest> => {
  if (!TAKES_BYTES_ONLY.has(dialectOf(platform, providerId) ?? "") || !request.messages.some(namesPicture)) return request;
  const messages = await Promise.all(request.messages.map((message) => inlineMessage(platform, message, signal)));
  return { ...request, messages };
};

const isRemote = (part: ContentPart): part is Extract<ContentPart, { type: "image" }> =>
  part.type === "image" && !part.url.startsWith("data:");
const namesPicture = ({ content }: ChatMessage): boolean => typeof content !== "string" && content.some(isRemote);

const inlineMessage = async (platform: Platform, message: ChatMessage, signal: AbortSignal): Promise<ChatMessage> => {
  if (typeof message.content === "string" || !namesPicture(message)) return message;
  const content = await Promise.all(
    message.content.map(async (part) => {
      if (!isRemote(part)) return part;
      const { param = "messages", ...picture } = part;
      const { bytes, mediaType } = await fetchGuarded(platform, part.url, {
        maxBytes: LARGEST_BYTES,
        timeoutMs: LONGEST_MS,
        param,
        signal,
      });
      if (!MEDIA_TYPES.has(mediaType)) throw invalidRequest(`The URL in \`${param}\` is no PNG, JPEG, GIF or WebP image.`, param);
      return { ...picture, url: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
    }),
  );
  return { ...message, content };
};
