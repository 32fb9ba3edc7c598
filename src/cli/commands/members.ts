/** `signalbox members invite | list | remove`: who signs in to the dashboard with a name of their own. */

import { ROLES, type Role, toMemberRow } from "../../accounts/member.ts";
import { changeRole, deleteMember, findMember, insertMember, inviteAgain, listMembers } from "../../accounts/member-store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import { ownAddress } from "../../config/own-address.ts";
import { byCommand } from "../../history/author.ts";
import { type Given, requireName, requireWord, tableOf, tell } from "../command.ts";
import { hasDatabase, withDatabase } from "../with-database.ts";

/** For a member who is there already: a new link, and the role if one is named. */
export const inviteMember = async (given: Given, environment: Environment): Promise<number> => {
  const { values, positionals } = given;
  const named = requireName("NAME", positionals[0]!);
  const role: Role | undefined = values.role === undefined ? undefined : requireWord("--role", values.role, ROLES);
  const config = readConfig(environment, values);
  return withDatabase(config, async (db, now) => {
    const by = byCommand(now);
    const token = (await insertMember(db, by, named, role ?? "viewer")) ?? (await inviteAgain(db, by, named));
    if (role !== undefined) await changeRole(db, by, named, role);
    const member = toMemberRow(findMember(db, named)!, now);
    const link = `${config.publicUrl ?? ownAddress(config)}/dashboard/invitation?token=${token}`;
    return tell(
      given,
      { ...member, link },
      `${link}\n\nWith this link ${member.name} (${member.role}) sets a password. It works once, for a week, and is shown only now. Its address is that of the settings here (public_url, or HOST and PORT).`,
    );
  });
};

export const listAllMembers = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  const read = () => withDatabase(config, async (db, now) => listMembers(db).map((member) => toMemberRow(member, now)));
  const members = hasDatabase(config) ? await read() : [];
  const rows = members.map(({ name, role, state, created_at }) => [name, role, state, created_at]);
  return tell(given, members, tableOf(["NAME", "ROLE", "STATE", "CREATED"], rows));
};

export const removeMember = async (given: Given, environment: Environment): Promise<number> =>
  withDatabase(readConfig(environment, given.values), async (db, now) => {
    const name = given.positionals[0]!;
    if (!(await deleteMember(db, byCommand(now), name))) throw new Error(`There is no member "${name}" (see members list).`);
    return tell(given, { name, deleted: true }, `${name} is no longer a member, and signed out.`);
  });
