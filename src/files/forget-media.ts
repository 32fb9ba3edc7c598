/** For `DELETE /v1/logs/user/{user_id}`: what models made for a user goes with the calls (decisions §10). */

import type { Sql } from "../database/database.ts";
import { deleteMediaOfUser } from "./store.ts";

/** Within the transaction that forgets the user. */
export const forgetMedia = (sql: Sql, projectId: string, userId: string): void => deleteMediaOfUser(sql, projectId, userId);
