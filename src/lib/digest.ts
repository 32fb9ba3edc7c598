/** SHA-256: of a secret, so that the secret itself is neither kept nor compared; of a content, to know it again. */

import { timingSafeEqual } from "node:crypto";

const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text);

/** In hexadecimal. */
export const digest = (text: string): string => hash(text).digest("hex");

/** Compares digests, so that neither length nor place of a difference shows in the time it takes. */
export const sameText = (one: string, other: string): boolean => timingSafeEqual(hash(one).digest(), hash(other).digest());
