/** Whether an answer ended with calls is told by the calls: vendors say `stop` beside some, and name some that are not for the caller. */

import type { FinishReason } from "../provider.ts";

export const finishWithCalls = (finish: FinishReason, sawToolCall: boolean): FinishReason => {
  if (finish !== "stop" && finish !== "tool_calls") return finish;
  return sawToolCall ? "tool_calls" : "stop";
};
