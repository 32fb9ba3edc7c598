/** The id of a memory session, as callers choose it. */

import { Type } from "@sinclair/typebox";

/** "." and ".." have a meaning in paths, so `/v1/memory/{sessionId}` could never name them. */
export const NO_DOTS_ALONE = "^(?!\\.\\.?$)";

export const SessionId = Type.String({ minLength: 1, maxLength: 200, pattern: NO_DOTS_ALONE, description: "Memory session" });
