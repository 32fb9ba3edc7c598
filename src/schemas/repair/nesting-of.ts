/** How deep a text that may be JSON is nested, which bounds the recursion of what reads it. */

/** The most brackets that are open at once, outside of quotes. */
export const nestingOf = (text: string): number => {
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
