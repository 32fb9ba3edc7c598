/** Writes a shadow model's result beside the call's row (decisions §10); it is never part of the call's cost. */

import type { Caller } from "../../accounts/authenticate.ts";
import type { Platform } from "../../platform.ts";
import { insertShadow, type ShadowCall } from "./shadow-store.ts";

/** Does nothing if the call is no longer in the log. */
export const recordShadow = ({ db }: Platform, { project, requestId }: Caller, shadow: ShadowCall): Promise<void> =>
  db.write((sql) => insertShadow(sql, project.id, requestId, shadow));
