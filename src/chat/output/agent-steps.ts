/**
 * Agents that are led by text alone (ReAct, as in LangChain and crewAI): their prompt prescribes lines with labels, one for the input of each
 * tool, and one for the answer after the last tool.
 */

import { plainText } from "../../providers/dialect/message-parts.ts";
import type { ChatRequest } from "../../providers/provider.ts";

const ANSWER = "Final Answer";
const LABEL = new RegExp(`^[ \\t*]{0,4}(Action Input|${ANSWER}):\\**`, "gm");

/** The text behind the last label; undefined if the request prescribes none, or the answer has none. */
export const lastStep = (text: string, { messages }: ChatRequest): { isAnswer: boolean; text: string } | undefined => {
  if (!messages.some(({ content }) => plainText(content).includes(`${ANSWER}:`))) return undefined;
  const label = [...text.matchAll(LABEL)].at(-1);
  return label && { isAnswer: label[1] === ANSWER, text: text.slice(label.index + label[0].length) };
};
