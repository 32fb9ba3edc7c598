/** The user in a header, for programs that know who is using them and do not say so in the body (setting `user_header`). */

import type { Caller } from "../accounts/authenticate.ts";
import { invalidRequest } from "../api-error.ts";
import type { Config } from "../config/config.ts";
import { BOUNDS } from "../limits/bounds.ts";

/** Throws 400. */
export const userInHeader = ({ userHeader }: Pick<Config, "userHeader">, headers: Headers): Pick<Caller, "userId"> => {
  const userId = userHeader && headers.get(userHeader);
  if (!userId) return {};
  if (userId.length > BOUNDS.nameCharacters)
    throw invalidRequest(
      `The header ${userHeader} has ${userId.length} characters; a user may have ${BOUNDS.nameCharacters}.`,
      userHeader,
    );
  return { userId };
};
