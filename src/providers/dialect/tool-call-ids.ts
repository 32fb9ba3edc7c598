/**
 * Tool-call ids that survive a change of provider. Gemini wants its thought signature back with a past call (behind OpenRouter, in another
 * form), and OpenAI the sealed reasoning that led to it, but clients keep only a call's id: so these travel inside the id, and are removed
 * before another vendor sees it.
 */

const MARKERS = { google: "__sig__", openai: "__rsn__", openrouter: "__enc__" } as const;
type Vendor = keyof typeof MARKERS;
const VENDORS = Object.keys(MARKERS) as Vendor[];
const ANY_MARKER = new RegExp(Object.values(MARKERS).join("|"));

/** Nine letters and digits, the strictest form that any provider requires. */
export const newToolCallId = (): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => alphabet[byte % alphabet.length]).join("");
};

export const withSignature = (id: string, vendor: Vendor, signature: string | undefined): string =>
  signature ? `${id}${MARKERS[vendor]}${Buffer.from(signature).toString("base64url")}` : id;

/** The provider's own id, without what came with it. */
export const bareId = (id: string): string => id.split(ANY_MARKER, 1)[0]!;

/** The provider's own id, and what came with it, by the vendor that gets it back. */
export const splitSignature = (id: string): { id: string } & { [name in Vendor]?: string } => {
  for (const vendor of VENDORS) {
    const at = id.indexOf(MARKERS[vendor]);
    if (at === -1) continue;
    const signature = Buffer.from(id.slice(at + MARKERS[vendor].length), "base64url").toString();
    return { id: id.slice(0, at), [vendor]: signature };
  }
  return { id };
};

export const shortHash = (text: string, length: number): string =>
  Bun.hash(text).toString(36).padStart(length, "0").slice(-length) || text;

/**
 * The id in a form that every vendor accepts: letters, digits, `_`, `-`, at most `maxLength`. Equal ids stay equal, so that calls and
 * results stay together.
 */
export const portableId = (id: string, maxLength: number): string => {
  const plain = bareId(id);
  const valid = plain.length > 0 && plain.length <= maxLength && /^[A-Za-z0-9_-]+$/.test(plain);
  return valid ? plain : shortHash(id, Math.min(maxLength, 12));
};

/** Exactly nine letters and digits (Mistral). */
export const nineCharacterId = (id: string): string => {
  const plain = bareId(id);
  return /^[A-Za-z0-9]{9}$/.test(plain) ? plain : shortHash(id, 9);
};

/** As Kimi numbers the calls of a conversation: `functions.search:0`. With other ids it writes its next calls into its text. */
export const numberedId = (calls: readonly { id: string; name: string }[]): ((id: string) => string) => {
  const ids = new Map(calls.map(({ id, name }, place) => [id, `functions.${name}:${place}`]));
  return (id) => ids.get(id) ?? id;
};
