/** For `DELETE /v1/logs/user/{user_id}`: also removes the user's messages from sessions (decisions §10). */
import type { Sql } from "../database/database.ts";
import { deleteMessagesOfUser } from "./message-store.ts";

/** Runs within the transaction that forgets the user. */
export const forgetMemory = (sql: Sql, projectId: string, userId: string): void => deleteMessagesOfUser(sql, projectId, userId);
