/** Bounds how deep a text is nested that is read as JSON, because what reads and writes its value is recursive. */

import { jsonOf } from "../../lib/is-json.ts";

export const MAX_DEPTH = 128;

export const isTooDeep = (text: string): boolean => nestingOf(text) > MAX_DEPTH;

/** The object or list that a string holds as JSON; undefined if it holds none. */
export const jsonInside = (said: string): unknown => (/^\s*[{[]/.test(said) && !isTooDeep(said) ? jsonOf(said) : undefined);

/** The most brackets that are open at once, outside of quotes. */
const nestingOf = (text: string): number => {
  let open = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\" && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "{" || char === "[")) deepest = Math.max(deepest, ++open);
    else if (!quoted && (char === "}" || char === "]")) open--;
  }
  return deepest;
};
