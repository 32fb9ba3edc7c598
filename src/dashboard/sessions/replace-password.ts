/** A new password for an operator who has forgotten the old one (`signalbox password reset`). */

import { setAdminPassword } from "../../accounts/operator.ts";
import type { Db } from "../../database/database.ts";
import type { Author } from "../../history/author.ts";
import { randomBase62 } from "../../lib/base62.ts";
import { deleteOtherSessions } from "./store.ts";

const CHARACTERS = 20;

/** Sets a random password, signs out the browsers that had the one before, and returns the password, which is stored nowhere. */
export const replacePassword = async (db: Db, by: Author): Promise<string> => {
  const password = randomBase62(CHARACTERS);
  await setAdminPassword(db, by, password);
  await deleteOtherSessions(db, { secretHash: "", name: null });
  return password;
};
