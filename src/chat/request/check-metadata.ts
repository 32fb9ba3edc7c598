/** A call's `metadata` is returned with every page of the log, so it is bounded like a document's. */

import { invalidRequest } from "../../api-error.ts";

const MOST_METADATA_CHARACTERS = 16_384;

/** Throws 400 with `param` `metadata`. */
export const checkMetadata = (metadata: Record<string, string>): Record<string, string> => {
  if (JSON.stringify(metadata).length > MOST_METADATA_CHARACTERS)
    throw invalidRequest(`\`metadata\` may have at most ${MOST_METADATA_CHARACTERS} characters as JSON.`, "metadata");
  return metadata;
};
