/** Rule 9 for a whole answer: the content policies review its text, the arguments of its tool calls and its JSON. */

import type { Platform } from "../../platform.ts";
import { contentBlocked, mergeEvaluations, nothingFound } from "../../policies/content/content-evaluation.ts";
import { type ContentRules, lookForAnything } from "../../policies/content/content-rules.ts";
import { applyJudgement, judgeCriteria } from "../../policies/content/judge-criteria.ts";
import { isBlocked, type Review } from "../../policies/content/review-content.ts";
import { reviewInSteps } from "../../policies/content/review-json.ts";
import type { ContentEvaluation } from "../../policies/evaluation-schemas.ts";
import type { ChatResult, ToolCall } from "../../providers/provider.ts";
import { askJudge } from "../attempts/side-call.ts";
import type { CallDraft } from "../call-draft.ts";
import { noteEvaluation } from "./note-answer.ts";
import { type Outgoing, reviewCalls } from "./review-outgoing.ts";

/** The answer as it may be sent. Throws 403 `CONTENT_BLOCKED`, with the evaluation, if a policy blocks it. */
export const reviewAnswer = async (
  platform: Platform,
  draft: CallDraft,
  rules: ContentRules | undefined,
  result: ChatResult,
  isJson: boolean,
): Promise<ChatResult> => {
  if (rules === undefined) return result;
  if (!lookForAnything(rules)) {
    noteEvaluation(draft, nothingFound(rules.phase));
    return result;
  }
  const review = await reviewInSteps(rules, result.text, isJson);
  const calls = await reviewCalls(rules, result.toolCalls);
  const text = calls.some(({ review }) => isBlocked(review)) ? review : await judged(platform, draft, rules, review);
  noteReviews(draft, [text, ...calls.map(({ review }) => review)]);
  // A summary in whose place a judge's verdict puts other words is none, as one that was refused: the conversation would be lost for it.
  const isLost = draft.input.isSummary === true && text.text !== review.text;
  const { thoughts: _unread, reasoning: _unshown, citations: _unreviewed, ...reviewed } = result;
  return {
    ...reviewed,
    text: text.text,
    // The refusal repeats the text, so it gets the reviewed one.
    ...((result.refusal !== undefined || isLost) && { refusal: text.text }),
    toolCalls: calls.map(({ call, review }): ToolCall => ({ ...call, arguments: review.text })),
  };
};

/** Criteria that only warn are judged after the answer was sent; the log and the last chunk have the result. */
export const judgeSent = async (
  platform: Platform,
  draft: CallDraft,
  rules: ContentRules | undefined,
  outgoing: Outgoing,
): Promise<void> => {
  if (rules === undefined) return;
  const evaluation = outgoing.evaluation() ?? nothingFound(rules.phase);
  const text = outgoing.sentText();
  const unjudged: Review = { text, findings: [], evaluation };
  const review = await judged(platform, draft, rules, unjudged).catch((error) => {
    noteEvaluation(draft, evaluation);
    throw error;
  });
  noteEvaluation(draft, review.evaluation);
};

/** The review with the judgement of a model, if the policies name criteria. The model is shown no more than the review leaves. */
export const judged = async (
  platform: Platform,
  draft: CallDraft,
  { criteria, phase }: ContentRules,
  review: Review,
): Promise<Review> => {
  if (criteria.length === 0 || review.text === "") return review;
  const startedAt = performance.now();
  const judgement = await judgeCriteria((prompt) => askJudge(platform, draft, prompt), criteria, review.text);
  if (phase === "post_response") draft.verdict = { met: judgement.passed, unmet: judgement.unmet };
  return applyJudgement(review, judgement, performance.now() - startedAt);
};

/** Throws 403 if one of the reviewed texts is blocked. */
export const noteReviews = (draft: CallDraft, reviews: readonly [Review, ...Review[]]): void => {
  const [first, ...others] = reviews.map(({ evaluation }) => evaluation) as [ContentEvaluation, ...ContentEvaluation[]];
  const noted = noteEvaluation(draft, mergeEvaluations(first, ...others));
  if (reviews.some(isBlocked)) throw contentBlocked(noted);
};
