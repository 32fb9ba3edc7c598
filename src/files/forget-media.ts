/** For `DELETE /v1/logs/user/{user_id}`: deletes media made for the user (decisions §10). */

import type { Sql } from "../database/database.ts";
import { deleteMediaOfUser } from "./store.ts";

/** Runs within the transaction that forgets the user. */
export const forgetMedia = (sql: Sql, projectId: string, userId: string): void => deleteMediaOfUser(sql, projectId, userId);
