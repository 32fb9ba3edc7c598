/** Members of the team are invited, given another role, and removed. */

import { Type } from "@sinclair/typebox";
import { type Member, ROLES, toMemberRow } from "../../accounts/member.ts";
import { changeRole, deleteMember, findMember, insertMember, inviteAgain, listMembers } from "../../accounts/member-store.ts";
import { conflict, notFound } from "../../api-error.ts";
import { readJson } from "../../http/read-json.ts";
import { oneOf } from "../../lib/one-of.ts";
import type { Platform } from "../../platform.ts";
import { byOperator } from "../sessions/require-operator.ts";
import type { Invitation, MemberRow } from "../wire.ts";
import { requireName } from "./require.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const RoleBody = Type.Object({ role: oneOf(ROLES) });
const NewMemberBody = Type.Object({ name: Type.String(), role: Type.Optional(oneOf(ROLES)) });

export const memberRoutes = (platform: Platform) => {
  const { db, clock } = platform;
  const rowOf = (member: Member | undefined): MemberRow => {
    if (member === undefined) throw notFound("The member");
    return toMemberRow(member, clock.now());
  };
  return signedInRoutes(platform)
    .get("/members", (): { members: MemberRow[] } => ({ members: listMembers(db).map(rowOf) }))
    .post("/members", async ({ request, set }): Promise<Invitation> => {
      const { name, role = "viewer" } = await readJson(request, NewMemberBody);
      requireName(name);
      const token = await insertMember(db, byOperator(platform, request), name, role);
      if (token === undefined) throw conflict(`There is a member "${name}" already.`, "name");
      set.status = 201;
      return { member: rowOf(findMember(db, name)), token };
    })
    .post("/members/:name/invitation", async ({ request, params: { name } }): Promise<Invitation> => {
      const token = await inviteAgain(db, byOperator(platform, request), name);
      if (token === undefined) throw notFound("The member");
      return { member: rowOf(findMember(db, name)), token };
    })
    .patch("/members/:name", async ({ request, params: { name } }): Promise<MemberRow> => {
      const { role } = await readJson(request, RoleBody);
      return rowOf(await changeRole(db, byOperator(platform, request), name, role));
    })
    .delete("/members/:name", async ({ request, params }) => {
      const { name } = rowOf(await deleteMember(db, byOperator(platform, request), params.name));
      return { name, deleted: true };
    });
};
