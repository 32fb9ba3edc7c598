/** Anthropic's mark for prompts that are sent again soon (`cache_control`), which clients of other APIs set too. */

type Marked = {
  system?: string | readonly object[] | null;
  tools?: readonly object[] | null;
  messages: readonly { content?: string | readonly object[] | null }[];
};

/** Where the marks stand is not kept: whoever sets one sends the same beginning again, and the longest that matches is found. */
export const asksForCache = (body: Marked): boolean =>
  isMarked(body) ||
  listOf(body.system).some(isMarked) ||
  listOf(body.tools).some(isMarked) ||
  body.messages.some((message) => listOf(message.content).some(isMarked));

const isMarked = (part: object): boolean => "cache_control" in part && part.cache_control != null;

const NOTHING: readonly object[] = [];
const listOf = (field: string | readonly object[] | null | undefined): readonly object[] =>
  typeof field === "object" && field !== null ? field : NOTHING;
