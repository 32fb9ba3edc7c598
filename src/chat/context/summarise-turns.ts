/** A summary without a model: of each old message its first sentence, and those that carry numbers, names or decisions. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { sentencesOf } from "../../lib/sentences.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { contentText } from "../request/last-user-text.ts";

const WEIGHTY = /\d|[A-Z][a-z]+ [A-Z][a-z]+|\b(?:decid|agree|must|never|always|prefer|name is|call me|deadline|because)/;

/** At most `maxTokens` by the estimator. The newest of the old turns are kept first when not all fits. */
export const summariseTurns = (messages: readonly ChatMessage[], maxTokens: number): string => {
  const lines: string[] = [];
  let used = 0;
  for (const message of messages.toReversed()) {
    const line = lineOf(message);
    if (line === "") continue;
    const tokens = estimateTokens(line) + 1;
    if (used + tokens > maxTokens) continue;
    used += tokens;
    lines.unshift(line);
  }
  return lines.join("\n");
};

const lineOf = (message: ChatMessage): string => {
  if (message.role === "tool") return "";
  const chosen = sentencesOf(contentText(message.content))
    .filter((sentence, index) => index === 0 || WEIGHTY.test(sentence))
    .slice(0, 4);
  return chosen.length === 0 ? "" : `${message.role}: ${chosen.join(" ").slice(0, 500)}`;
};
