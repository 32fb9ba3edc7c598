/** Rule 9 for tool calls: the content policies review their arguments. */

import { mapYielding } from "../../lib/map-yielding.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import type { Review } from "../../policies/content/review-content.ts";
import { reviewInSteps } from "../../policies/content/review-json.ts";
import type { ToolCall } from "../../providers/provider.ts";

type ReviewedCall = { call: ToolCall; review: Review };

/** While long arguments are read, other calls are served. */
export const reviewCalls = (rules: ContentRules, calls: readonly ToolCall[]): Promise<ReviewedCall[]> =>
  mapYielding(calls, async (call) => ({ call, review: await reviewInSteps(rules, call.arguments, true) }));
