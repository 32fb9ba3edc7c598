/** Rule 9 for prompts (`evaluate_input`): the content policies review every text of the request, documents and memory included. */

import { mapYielding } from "../../lib/map-yielding.ts";
import type { Platform } from "../../platform.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import { isBlocked, type Review } from "../../policies/content/review-content.ts";
import { reviewInSteps } from "../../policies/content/review-json.ts";
import { plainText } from "../../providers/dialect/message-parts.ts";
import { type ChatMessage, type ChatRequest, type ContentPart, withoutThoughts } from "../../providers/provider.ts";
import type { CallDraft } from "../call-draft.ts";
import { judged, noteReviews } from "../output/review-answer.ts";
import { joinTexts } from "../request/message-content.ts";
import { type Clean, reviewPdfs } from "./review-pdfs.ts";

/** The request as the policies allow it to be sent. Throws 403 `CONTENT_BLOCKED`, with the evaluation, if one blocks it. */
export const reviewRequest = async (
  platform: Platform,
  draft: CallDraft,
  rules: ContentRules | undefined,
  request: ChatRequest,
): Promise<ChatRequest> => {
  if (rules === undefined) return request;
  const reviews: Review[] = [];
  const clean: Clean = async (text, isJson = false) => {
    const review = await reviewInSteps(rules, text, isJson, draft.signal);
    reviews.push(review);
    return review.text;
  };
  const read = await reviewPdfs(platform, draft, rules, request, clean);
  const messages = await mapYielding(
    read.request.messages,
    (message) => cleanMessage(message, clean, read.instead),
    draft.signal,
  );
  const last = reviews.pop();
  if (last === undefined) return request;
  // Where something else is blocked, a judge would be paid for nothing.
  const whole = reviews.some(isBlocked) ? last : await judged(platform, draft, rules, last);
  noteReviews(draft, [whole, ...reviews]);
  return { ...request, messages: whole.text === last.text ? messages : withheld(messages, whole.text) };
};

/** A judge is shown the last text, and names no place in it: all that the text's message says is replaced. Without one it was a PDF's. */
const withheld = (messages: readonly ChatMessage[], instead: string): ChatMessage[] => {
  const found = messages.findLastIndex(({ content }) => plainText(content) !== "");
  const at = found === -1 ? messages.length - 1 : found;
  return messages.with(at, { ...messages[at]!, content: instead });
};

/** Earlier tool calls and their arguments are part of the request too. */
const cleanMessage = async (
  message: ChatMessage,
  clean: Clean,
  instead: ReadonlyMap<ContentPart, ContentPart>,
): Promise<ChatMessage> =>
  ({
    // Thinking that was changed has no valid signature any more, so it is left out.
    ...withoutThoughts(message),
    ...(message.role === "assistant" &&
      message.toolCalls !== undefined && {
        toolCalls: await mapYielding(message.toolCalls, async (call) => ({
          ...call,
          arguments: await clean(call.arguments, true),
        })),
      }),
    content:
      typeof message.content === "string" ? await clean(message.content) : await cleanParts(message.content, clean, instead),
  }) as ChatMessage;

/** Where nothing is redacted, texts stay apart, with the marks for the provider's cache between them. */
const cleanParts = async (
  parts: ContentPart[],
  clean: Clean,
  instead: ReadonlyMap<ContentPart, ContentPart>,
): Promise<ContentPart[]> => {
  const joined = joinTexts(parts);
  const cleaned = await mapYielding(joined, async (part) => {
    if (part.type !== "text") return instead.get(part) ?? part;
    const text = await clean(part.text);
    return text === part.text ? part : { ...part, text };
  });
  return cleaned.every((part, at) => part === joined[at]) ? parts : cleaned;
};
