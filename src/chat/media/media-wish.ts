/** The words that say which picture, video or speech a chat asks for: «And now a blue one, please.» is understood with what came before. */

import type { Platform } from "../../platform.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { type CallDraft, ownerOf } from "../call-draft.ts";
import { askedText, lastUserText } from "../request/message-content.ts";

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
