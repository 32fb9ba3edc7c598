/** Whether a PDF contains pictures. Its bytes tell, because images are never in object streams, and searching is faster than decoding. */

import { asBuffer } from "../../lib/as-buffer.ts";

const NAME = "/Image";
const BLANKS = /\s*$/;

export const holdsPictures = (pdf: Uint8Array): boolean => {
  const bytes = asBuffer(pdf);
  for (let at = bytes.indexOf(NAME); at >= 0; at = bytes.indexOf(NAME, at + NAME.length)) {
    const before = bytes.toString("latin1", Math.max(0, at - 20), at).replace(BLANKS, "");
    if (before.endsWith("/Subtype") && !/[A-Za-z]/.test(String.fromCharCode(bytes[at + NAME.length] ?? 0x20))) return true;
  }
  return false;
};
