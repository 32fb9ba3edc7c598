/** Ids chosen by callers, in the forms that vendors accept. Other ids are sent as their SHA-256, so that equal ids stay equal. */

import { digest } from "../../lib/digest.ts";

export const withinLength = (id: string, maxLength: number): string =>
  id.length <= maxLength ? id : digest(id).slice(0, maxLength);

const EMAIL_OR_PHONE = /@|^\+?[\d\s().-]{7,}$/;

/** For vendors that refuse ids which look like somebody's e-mail address or telephone number. */
export const impersonal = (id: string, maxLength: number): string =>
  EMAIL_OR_PHONE.test(id) ? digest(id) : withinLength(id, maxLength);
