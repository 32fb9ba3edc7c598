/** The part of a chat's last message that is given to the media model. */

import { invalidRequest } from "../../api-error.ts";
import { countCharacters } from "../../lib/bounded-text.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { Classification } from "../../router/classify.ts";

export type MediaKind = Exclude<Classification["media"], "none">;

/**
 * A long prompt for an image or video is cut. A long text for speech is refused with 400, since speech without its end would seem complete.
 */
export const mediaPrompt = (kind: MediaKind, asked: string): string => {
  if (kind !== "speech") return firstCharacters(asked, BOUNDS.mediaPromptCharacters);
  const spoken = spokenText(asked);
  const count = countCharacters(spoken);
  if (count <= BOUNDS.speechInputCharacters) return spoken;
  const most = `at most ${BOUNDS.speechInputCharacters} characters`;
  throw invalidRequest(`The text to speak may have ${most}; it has ${count}. Send it in several messages.`, "messages");
};

const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join("");

const QUOTED = /["“„«]([^"”»]{2,})["”»]/;
const AFTER_COLON = /^[^:\n]{3,120}:\s*([\s\S]{2,})$/;

/** The words that a request wants spoken: the quoted ones, those after the colon, else the whole message. */
const spokenText = (prompt: string): string => {
  const trimmed = prompt.trim();
  const quoted = QUOTED.exec(trimmed.slice(0, 8_192))?.[1];
  return (quoted ?? AFTER_COLON.exec(trimmed)?.[1] ?? trimmed).trim();
};
