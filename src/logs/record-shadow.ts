/** What a shadow model made of a call is written beside the call's row (decisions §10): never part of its cost. */

import type { Caller } from "../accounts/authenticate.ts";
import type { Platform } from "../platform.ts";
import { insertShadow, type ShadowCall } from "./shadow-store.ts";

/** Nothing happens where the call is no longer in the log. */
export const recordShadow = ({ db }: Platform, { project, requestId }: Caller, shadow: ShadowCall): Promise<void> =>
  db.write((sql) => insertShadow(sql, project.id, requestId, shadow));
