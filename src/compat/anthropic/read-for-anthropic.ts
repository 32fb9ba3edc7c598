/** What a caller says to Anthropic alone: it reaches Anthropic, should a model of theirs answer, and nobody else. */

import type { ChatRequest } from "../../providers/provider.ts";
import type { MessagesBody } from "./wire.ts";

const BETA = /^[A-Za-z0-9][\w.-]{0,63}$/;
const MOST_BETAS = 32;

/** Of the edits those that take something away: what else there is changes the form of the answer. */
export const readForAnthropic = (
  { context_management: management }: MessagesBody,
  header: string | null,
): NonNullable<ChatRequest["forAnthropic"]> => {
  const betas = (header ?? "")
    .slice(0, MOST_BETAS * 65)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => BETA.test(name))
    .slice(0, MOST_BETAS);
  const edits = management?.edits?.filter(({ type }) => type.startsWith("clear_")) ?? [];
  return { ...(betas.length > 0 && { betas }), ...(edits.length > 0 && { edits }) };
};
