/** Settings for Anthropic alone, used only if one of its models answers. */

import type { ChatRequest } from "../../providers/provider.ts";
import type { MessagesBody } from "./wire.ts";

const BETA = /^[A-Za-z0-9][\w.-]{0,63}$/;
const MOST_BETAS = 32;

/** Only edits that remove something (`clear_…`); the others would change the form of the answer. */
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
