/** For `DELETE /v1/logs/user/{user_id}`: what a user said goes from the sessions too (decisions §10). */
import type { Sql } from "../database/database.ts";
import { deleteMessagesOfUser } from "./message-store.ts";

/** Within the transaction that forgets the user. */
export const forgetMemory = (sql: Sql, projectId: string, userId: string): void => deleteMessagesOfUser(sql, projectId, userId);
