/** The user whom a body names, with the same fields on every JSON route that calls a model or an engine and is no chat. */

import { type Static, type TObject, Type } from "@sinclair/typebox";
import { nullable } from "../lib/nullable.ts";
import { BOUNDS } from "../limits/bounds.ts";

const UserId = Type.String({ maxLength: BOUNDS.nameCharacters });

export const USER_FIELDS = {
  user: nullable(UserId),
  metadata: nullable(
    Type.Object({ user_id: nullable(UserId) }, { description: "`user_id` names the user where `user` is absent" }),
  ),
};

/** As in a chat, `user` comes first. Empty texts name nobody. */
export const userInBody = ({ user, metadata }: Static<TObject<typeof USER_FIELDS>>): { userId?: string } => {
  const userId = user || metadata?.user_id;
  return userId ? { userId } : {};
};
