/** Rule 9 for a whole answer: the content policies review its text, the arguments of its tool calls and its JSON. */

import type { Platform } from "../../platform.ts";
import { contentBlocked, mergeEvaluations } from "../../policies/content/content-evaluation.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import { applyJudgement, judgeCriteria } from "../../policies/content/judge-criteria.ts";
import type { Review } from "../../policies/content/review-content.ts";
import { reviewAnyText, reviewJsonText } from "../../policies/content/review-json.ts";
import type { ContentEvaluation } from "../../policies/evaluation-schemas.ts";
import {
  type ChatMessage,
  type ChatRequest,
  type ChatResult,
  type ContentPart,
  type ToolCall,
  withoutThoughts,
} from "../../providers/provider.ts";
import { askJudge } from "../attempts/side-call.ts";
import type { CallDraft } from "../call-draft.ts";
import { joinTexts } from "../request/last-user-text.ts";
import type { Outgoing } from "./review-outgoing.ts";
import { reviewPdfs } from "./review-pdfs.ts";

/** The answer as it may be sent. Throws 403 `CONTENT_BLOCKED`, with the evaluation, if a policy blocks it. */
export const reviewAnswer = async (
  platform: Platform,
  draft: CallDraft,
  rules: ContentRules | undefined,
  result: ChatResult,
  isJson: boolean,
): Promise<ChatResult> => {
  if (rules === undefined) return result;
  const text = await judged(platform, draft, rules, reviewOf(isJson)(rules, result.text), result.text);
  const calls = result.toolCalls.map((call) => ({ call, review: reviewJsonText(rules, call.arguments) }));
  note(
    draft,
    mergeEvaluations(text.evaluation, ...calls.map(({ review }) => review.evaluation)),
    text.blocked || calls.some(({ review }) => review.blocked),
  );
  const { thoughts: _unread, citations: _unreviewed, ...reviewed } = result;
  return {
    ...reviewed,
    text: text.text,
    // The refusal repeats the text, so it gets the reviewed one.
    ...(result.refusal !== undefined && { refusal: text.text }),
    toolCalls: calls.map(({ call, review }): ToolCall => ({ ...call, arguments: review.text })),
  };
};

const reviewOf = (isJson: boolean) => (isJson ? reviewJsonText : reviewAnyText);

/** Criteria that only warn are judged after the answer was sent; the log and the last chunk have the result. */
export const judgeSent = async (
  platform: Platform,
  draft: CallDraft,
  rules: ContentRules | undefined,
  outgoing: Outgoing,
): Promise<void> => {
  const evaluation = outgoing.evaluation();
  if (rules === undefined || evaluation === undefined) return;
  const text = outgoing.sentText();
  const review = await judged(platform, draft, rules, { text, findings: [], blocked: false, evaluation }, text);
  note(draft, review.evaluation, false);
};

/** The request as policies that review prompts (`evaluate_input`) allow it to be sent. */
export const reviewRequest = async (
  platform: Platform,
  draft: CallDraft,
  rules: ContentRules | undefined,
  request: ChatRequest,
): Promise<ChatRequest> => {
  if (rules === undefined) return request;
  const reviews: Review[] = [];
  const clean = (text: string, isJson = false): string => {
    const review = reviewOf(isJson)(rules, text);
    reviews.push(review);
    return review.text;
  };
  const read = await reviewPdfs(platform, draft, rules, request, clean);
  const messages = read.request.messages.map((message) => cleanMessage(message, clean, read.instead));
  const last = reviews.pop();
  if (last === undefined) return request;
  const whole = await judged(platform, draft, rules, last, last.text);
  note(
    draft,
    mergeEvaluations(whole.evaluation, ...reviews.map(({ evaluation }) => evaluation)),
    whole.blocked || reviews.some(({ blocked }) => blocked),
  );
  return { ...request, messages };
};

/** Earlier tool calls and their arguments are part of the request too. */
const cleanMessage = (
  message: ChatMessage,
  clean: (text: string, isJson?: boolean) => string,
  instead: ReadonlyMap<ContentPart, ContentPart>,
): ChatMessage =>
  ({
    // Thinking that was changed has no valid signature any more, so it is left out.
    ...withoutThoughts(message),
    ...(message.role === "assistant" &&
      message.toolCalls !== undefined && {
        toolCalls: message.toolCalls.map((call) => ({ ...call, arguments: clean(call.arguments, true) })),
      }),
    content:
      typeof message.content === "string"
        ? clean(message.content)
        : joinTexts(message.content).map((part) =>
            part.type === "text" ? { ...part, text: clean(part.text) } : (instead.get(part) ?? part),
          ),
  }) as ChatMessage;

const judged = async (
  platform: Platform,
  draft: CallDraft,
  rules: ContentRules,
  review: Review,
  text: string,
): Promise<Review> =>
  rules.criteria.length === 0 || review.blocked || text === ""
    ? review
    : applyJudgement(review, await judgeCriteria((prompt) => askJudge(platform, draft, prompt), rules.criteria, text));

const note = (draft: CallDraft, evaluation: ContentEvaluation, blocked: boolean): void => {
  const before = draft.contentEvaluation;
  const merged =
    before === undefined ? evaluation : { ...mergeEvaluations(before, evaluation), phase: tellingOf(before, evaluation).phase };
  draft.contentEvaluation = merged;
  if (blocked) throw contentBlocked(merged);
};

/** The evaluation that is reported: the answer's, unless only the prompt had findings. */
const tellingOf = (before: ContentEvaluation, after: ContentEvaluation): ContentEvaluation => {
  const found = ({ result, pii_detected }: ContentEvaluation) => result !== "allow" || pii_detected;
  return found(before) && !found(after) ? before : after;
};
