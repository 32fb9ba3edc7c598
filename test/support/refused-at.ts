/** Where a request is complained of. */

import { ApiError } from "../../src/api-error.ts";

/** The `param` of the 400 that `read` throws; undefined where it throws none, or one without. */
export const refusedAt = (read: () => unknown): string | undefined => {
  try {
    read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.options.param;
    throw error;
  }
  return undefined;
};
