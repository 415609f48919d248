import type { Statements } from "../database/connect.ts";
import { randomBase32 } from "../random-id.ts";
import { type MemberRole, normalEmail } from "./accounts.ts";
import { hashToken, newToken } from "./one-time-token.ts";

/**
 * Invitations that are still open. Accepting one is in accounts.ts: it makes the member in the same
 * transaction.
 */

export interface Invitation {
  readonly id: string;
  readonly email: string | null;
  readonly role: MemberRole;
  readonly invited_by: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** What whoever holds the link may know. */
export interface InvitationOffer {
  readonly email: string | null;
  readonly role: MemberRole;
  readonly expires_at: string;
}

export interface InvitationInput {
  readonly email: string | null;
  readonly role: MemberRole;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

/** null for who is owner no more: whoever takes the role away has waited for this, or this for them. */
export async function createInvitation(
  sql: Statements,
  input: InvitationInput,
): Promise<{ readonly id: string; readonly token: string } | null> {
  const id = `inv_${randomBase32(20)}`;
  const { token, hash } = newToken();
  const email = input.email === null ? null : normalEmail(input.email);
  const [created] = await sql`
    insert into ats.invitation (invitation_id, token_hash, email, role, invited_by, expires_at)
    select ${id}, ${hash}, ${email}, ${input.role}, member_id, ${input.expiresAt}
    from ats.member where member_id = ${input.invitedBy} and role = 'owner' for share
    returning 1`;
  return created === undefined ? null : { id, token };
}

/** Expired ones too, until they are deleted: whoever invited sees why the link does not work. */
export async function listInvitations(sql: Statements): Promise<Invitation[]> {
  const rows = await sql<
    (Omit<Invitation, "created_at" | "expires_at"> & Record<"created_at" | "expires_at", Date>)[]
  >`
    select i.invitation_id as id, i.email, i.role, m.name as invited_by, i.created_at, i.expires_at
    from ats.invitation i left join ats.member m on m.member_id = i.invited_by
    order by i.created_at desc, i.invitation_id limit 200`;
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}

export async function countInvitations(sql: Statements): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from ats.invitation`;
  return row.count;
}

export async function findInvitation(sql: Statements, token: string): Promise<InvitationOffer | null> {
  const [row] = await sql<{ email: string | null; role: MemberRole; expires_at: Date }[]>`
    select email, role, expires_at from ats.invitation
    where token_hash = ${hashToken(token)} and expires_at > now()`;
  return row === undefined ? null : { ...row, expires_at: row.expires_at.toISOString() };
}

export async function deleteInvitation(sql: Statements, id: string): Promise<boolean> {
  const [deleted] = await sql`delete from ats.invitation where invitation_id = ${id} returning 1`;
  return deleted !== undefined;
}

/** The role that an open invitation gives to the holder of a proven address; it is used up with it. */
export async function takeInvitationOf(sql: Statements, email: string): Promise<MemberRole | null> {
  const [used] = await sql<{ role: MemberRole }[]>`
    delete from ats.invitation where invitation_id = (
      select invitation_id from ats.invitation
      where email = ${normalEmail(email)} and expires_at > now()
      order by created_at desc limit 1 for update)
    returning role`;
  return used?.role ?? null;
}

export async function isInvited(sql: Statements, email: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from ats.invitation where email = ${normalEmail(email)} and expires_at > now()) as found`;
  return row.found;
}
