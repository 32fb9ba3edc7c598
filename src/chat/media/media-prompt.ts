/** The words that say which picture, video or speech a chat asks for, as they are given to the media model. */

import { invalidRequest } from "../../api-error.ts";
import { countCharacters } from "../../lib/bounded-text.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { Platform } from "../../platform.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import type { Classification } from "../../router/classify.ts";
import { type CallDraft, ownerOf } from "../call-draft.ts";
import { askedText, lastUserText } from "../request/message-content.ts";

export type MediaKind = Exclude<Classification["media"], "none">;

/** A wish is looked for in so many of the caller's last messages. */
const MOST_MESSAGES = 6;

/** The last message, behind those back to the latest one that is a wish by itself. */
export const mediaWish = (
  platform: Platform,
  { caller, classification }: Pick<CallDraft, "caller" | "classification">,
  messages: readonly ChatMessage[],
): string => {
  const last = lastUserText(messages);
  const asking = messages.filter(({ role }) => role === "user").slice(-MOST_MESSAGES);
  if (asking.length < 2) return last;
  const texts = asking.map((message) => askedText(caller.mode, [message]));
  const isWish = (text: string): boolean => {
    const alone: ChatMessage[] = [{ role: "user", content: text }];
    return platform.classify(ownerOf(caller), { messages: alone, hasSchema: false }).media === classification.media;
  };
  const from = texts.findLastIndex(isWish);
  if (from === -1 || from === texts.length - 1) return last;
  // What is added to a picture describes it. What is added to speech is not to be spoken.
  return classification.media === "speech" ? texts[from]! : [...texts.slice(from, -1), last].join("\n");
};

/**
 * A long prompt for an image or video is cut. A long text for speech is refused with 400, since speech without its end would seem complete.
 */
export const mediaPrompt = (kind: MediaKind, asked: string): string => {
  if (kind !== "speech") return firstCharacters(asked, BOUNDS.mediaPromptCharacters);
  const spoken = spokenText(asked);
  const count = countCharacters(spoken);
  if (count <= BOUNDS.speechInputCharacters) return spoken;
  const most = `at most ${BOUNDS.speechInputCharacters} characters`;
  throw invalidRequest(`The text to speak may have ${most}; it has ${count}. Send it in several messages.`, "messages");
};

const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join("");

const QUOTED = /["“„«]([^"”»]{2,})["”»]/;
const AFTER_COLON = /^[^:\n]{3,120}:\s*([\s\S]{2,})$/;

/** The words that a request wants spoken: the quoted ones, those after the colon, else the whole message. */
const spokenText = (prompt: string): string => {
  const trimmed = prompt.trim();
  const quoted = QUOTED.exec(trimmed.slice(0, 8_192))?.[1];
  return (quoted ?? AFTER_COLON.exec(trimmed)?.[1] ?? trimmed).trim();
};
