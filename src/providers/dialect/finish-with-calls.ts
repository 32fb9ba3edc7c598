/** The finish reason follows the calls: some vendors say `stop` beside calls, others `tool_calls` although none is for the caller. */

import type { FinishReason } from "../provider.ts";

export const finishWithCalls = (finish: FinishReason, sawToolCall: boolean): FinishReason => {
  if (finish !== "stop" && finish !== "tool_calls") return finish;
  return sawToolCall ? "tool_calls" : "stop";
};
