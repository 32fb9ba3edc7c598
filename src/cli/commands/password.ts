/** `signalbox password reset`: for operators who have forgotten the dashboard's password. */

import { type Environment, readConfig } from "../../config/config.ts";
import { replacePassword } from "../../dashboard/sessions/replace-password.ts";
import { byCommand } from "../../history/author.ts";
import { type Given, tell } from "../command.ts";
import { withDatabase } from "../with-database.ts";

/** A running server takes the new password at once. Throws if the environment sets the password, or there is no database. */
export const resetPassword = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  if (config.adminPassword !== undefined) throw new Error("SIGNALBOX_ADMIN_PASSWORD is the password; change it there.");
  const password = await withDatabase(config, (db, now) => replacePassword(db, byCommand(now)));
  return tell(
    given,
    { password },
    `${password}\n\nThis is the dashboard's password from now on, and the only time it is shown. Browsers that had signed in with the one before are signed out. If the server is started with SIGNALBOX_ADMIN_PASSWORD, that one holds instead.`,
  );
};
