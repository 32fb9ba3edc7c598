/** What a session's next message asks, read with what was said before, as if the caller had sent the whole conversation. */

import type { Platform } from "../../platform.ts";
import { type CallDraft, classifyFor } from "../call-draft.ts";
import { lastRemembered } from "./session-memory.ts";

/** Leaves alone what is no session's, and callers who send earlier messages themselves. */
export const classifyInSession = (platform: Platform, draft: CallDraft): void => {
  const own = draft.input.request.messages;
  if (draft.input.sessionId === undefined || own.filter(({ role }) => role === "user").length > 1) return;
  const said = lastRemembered(platform, draft);
  if (said.length === 0) return;
  const alone = draft.classification;
  draft.classification = classifyFor(platform, draft, [...said, ...own]);
  if (draft.classification.media !== alone.media) draft.said = said;
};
