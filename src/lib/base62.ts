/** Base-62 text from random bytes and numbers; used by API keys and tokens. */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` characters, each uniformly random (bytes above 247 are drawn again, so no character is favoured). */
export const randomBase62 = (length: number): string => {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
};

/** A non-negative integer in base 62, left-padded with zeros to `width`. */
export const toBase62 = (value: number, width: number): string => {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text.padStart(width, "0");
};
