/** Tokens of the operator, which programs send in place of a key. */

import { sameText } from "../lib/digest.ts";

/** Whether the request has the token as its `Authorization: Bearer`; undefined if it has none, or nothing was set to compare it with. */
export const carriesToken = (request: Request, token: string | undefined): boolean | undefined => {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return token === undefined || given === undefined ? undefined : sameText(given, token);
};
