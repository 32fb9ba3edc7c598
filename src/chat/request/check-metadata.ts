/** What a caller has stored with a call: it comes back with every page of the log, and so it is bounded as a document's is. */

import { invalidRequest } from "../../api-error.ts";

const MOST_METADATA_CHARACTERS = 16_384;

/** Throws 400 with `param` `metadata`. */
export const checkMetadata = (metadata: Record<string, string>): Record<string, string> => {
  if (JSON.stringify(metadata).length > MOST_METADATA_CHARACTERS)
    throw invalidRequest(`\`metadata\` may have at most ${MOST_METADATA_CHARACTERS} characters as JSON.`, "metadata");
  return metadata;
};
