/** Members of a team: people who sign in to the dashboard with a name and password of their own, beside the operator. */

import { DAY_MS, toIso } from "../lib/clock.ts";

export const ROLES = ["admin", "viewer"] as const;
/** An admin may do what the operator may; a viewer sees everything and changes nothing. */
export type Role = (typeof ROLES)[number];

export type Member = {
  name: string;
  role: Role;
  hasPassword: boolean;
  /** Of the invitation that is open; null if there is none. */
  invitedAtMs: number | null;
  createdAtMs: number;
};

/** How long the link works with which a member sets their password. */
export const INVITATION_MS = 7 * DAY_MS;

/** `state`: without a password, whether the invitation can still be used. */
export const toMemberRow = ({ name, role, hasPassword, invitedAtMs, createdAtMs }: Member, now: number) => {
  const isOpen = invitedAtMs !== null && now - invitedAtMs < INVITATION_MS;
  const state = hasPassword ? ("active" as const) : isOpen ? ("invited" as const) : ("expired" as const);
  return { name, role, state, created_at: toIso(createdAtMs) };
};
