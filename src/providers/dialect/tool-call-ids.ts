/**
 * Tool-call ids that survive a change of provider. Gemini wants its thought signature back with a past call, and clients
 * keep nothing of a call but its id: so the signature travels inside the id, and is cut off before another vendor sees it.
 */

const MARKER = "__sig__";

/** 9 letters and digits: the strictest form any provider asks for. */
export const newToolCallId = (): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => alphabet[byte % alphabet.length]).join("");
};

export const withSignature = (id: string, signature: string | undefined): string =>
  signature ? `${id}${MARKER}${Buffer.from(signature).toString("base64url")}` : id;

/** The provider's own id and the signature that came with it. */
export const splitSignature = (id: string): { id: string; signature?: string } => {
  const at = id.indexOf(MARKER);
  if (at === -1) return { id };
  return { id: id.slice(0, at), signature: Buffer.from(id.slice(at + MARKER.length), "base64url").toString() };
};

const shortHash = (text: string, length: number): string =>
  Bun.hash(text).toString(36).padStart(length, "0").slice(-length) || text;

/**
 * The id as another vendor accepts it: letters, digits, `_`, `-`, at most `maxLength`. The same id always becomes the same,
 * so that calls and their results stay together.
 */
export const portableId = (id: string, maxLength: number): string => {
  const plain = splitSignature(id).id;
  const valid = plain.length > 0 && plain.length <= maxLength && /^[A-Za-z0-9_-]+$/.test(plain);
  return valid ? plain : shortHash(id, Math.min(maxLength, 12));
};

/** Exactly nine letters and digits (Mistral). */
export const nineCharacterId = (id: string): string => {
  const plain = splitSignature(id).id;
  return /^[A-Za-z0-9]{9}$/.test(plain) ? plain : shortHash(id, 9);
};
