/** Which calls a request is about: those of the asking key's project and mode, unless `mode` says otherwise (decisions §11). */

import { Type } from "@sinclair/typebox";
import type { Mode } from "../accounts/api-key.ts";
import type { Caller } from "../accounts/authenticate.ts";
import type { Value } from "../database/database.ts";
import { oneOf } from "../lib/one-of.ts";

export type CallScope = { projectId: string; mode: "live" | "test" | "all" };

export const ModeQuery = Type.Optional(
  oneOf(["live", "test", "all"], { description: "The mode of the key that asks, by default" }),
);

export const scopeOf = (caller: Caller, mode: CallScope["mode"] | undefined): CallScope => ({
  projectId: caller.project.id,
  mode: mode ?? caller.mode,
});

/** The SQL condition, with its parameters, for what belongs to the scope. */
export const inScope = (scope: CallScope): { text: string; params: Value[] } => {
  const modes = modesOf(scope);
  return { text: `project_id = ? AND mode IN (${modes.map(() => "?").join(", ")})`, params: [scope.projectId, ...modes] };
};

export const modesOf = ({ mode }: Pick<CallScope, "mode">): Mode[] => (mode === "all" ? ["live", "test"] : [mode]);
