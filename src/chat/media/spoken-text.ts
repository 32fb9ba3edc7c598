/** The words that a request wants spoken: the quoted ones, those after the colon, else the whole message. */

const QUOTED = /["“„«]([^"”»]{2,})["”»]/;
const AFTER_COLON = /^[^:\n]{3,120}:\s*([\s\S]{2,})$/;

export const spokenText = (prompt: string): string => {
  const trimmed = prompt.trim();
  const quoted = QUOTED.exec(trimmed.slice(0, 8_192))?.[1];
  return (quoted ?? AFTER_COLON.exec(trimmed)?.[1] ?? trimmed).trim();
};
