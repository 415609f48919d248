import type { Sql, Statements } from "../database/connect.ts";
import { nameProblem } from "../projects/projects.ts";
import { randomBase32 } from "../random-id.ts";
import { hashToken, newToken } from "./one-time-token.ts";

/**
 * Members of the dashboard. Invariants: an installation that has had an owner always has one; an account
 * comes into being in the transaction that uses up its one-time link, so a link makes one account however
 * many follow it at once; a member that is removed or given a new password has no session left; who is owner
 * no more has no invitation out by which to come back as one.
 */

export const memberRoles = ["viewer", "member", "owner"] as const;
export type MemberRole = (typeof memberRoles)[number];

export interface MemberRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
}

export interface ListedMember extends MemberRecord {
  readonly created_at: string;
  /** When a session was last made or renewed, also one that is over by now. */
  readonly last_seen_at: string | null;
}

/** What a person types to have an account; `passwordHash` is better-auth's. */
export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
}

/** Why a one-time link does not do what it was followed for. */
export type LinkFailure = "link_invalid" | "email_taken" | "email_not_invited";

export type AccountResult =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly reason: LinkFailure };

/** Of a password, in better-auth's terms: the member's own id is the subject. */
const PASSWORD_ISSUER = "local:credential";
const PASSWORD_PROVIDER = "credential";
const SETUP_HOURS = 7 * 24;
const PASSWORD_LINK_HOURS = 24;

export const normalEmail = (email: string) => email.trim().toLowerCase();

export function emailProblem(email: string): string | null {
  return /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/.test(email.trim()) ? null : "this is no e-mail address";
}

export function memberNameProblem(name: string): string | null {
  return nameProblem(name);
}

/** Made once a database; every process gets the same. */
export async function readCookieSecret(sql: Sql): Promise<string> {
  await sql`insert into ats.cookie_secret (secret) values (${randomBase32(52)}) on conflict do nothing`;
  const [row] = await sql<[{ secret: string }]>`select secret from ats.cookie_secret`;
  return row.secret;
}

export async function isSetUp(sql: Statements): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from ats.member where role = 'owner') as found`;
  return row.found;
}

/** The member behind a session's token, as of now. */
export async function findSessionMember(sql: Statements, token: string): Promise<MemberRecord | null> {
  const [row] = await sql<MemberRecord[]>`
    select m.member_id as id, m.email, m.name, m.role
    from ats.session s join ats.member m using (member_id)
    where s.token = ${token} and s.expires_at > now()`;
  return row ?? null;
}

export async function findMemberByEmail(sql: Statements, email: string): Promise<MemberRecord | null> {
  const [row] = await sql<MemberRecord[]>`
    select member_id as id, email, name, role from ats.member where email = ${normalEmail(email)}`;
  return row ?? null;
}

/**
 * The token of the link that makes the first owner; an earlier one is void from now on. null when there is an
 * owner.
 */
export async function issueSetupToken(sql: Sql): Promise<string | null> {
  const { token, hash } = newToken();
  return await sql.begin(async (tx) => {
    if (await isSetUp(tx)) return null;
    await tx`
      insert into ats.account_link (token_hash, purpose, expires_at)
      values (${hash}, 'setup', now() + make_interval(hours => ${SETUP_HOURS}))
      on conflict (purpose) where purpose = 'setup'
      do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`;
    return token;
  });
}

/** The first owner. Of two that follow the link at once, one is told that it is used up. */
export async function createFirstOwner(sql: Sql, token: string, account: NewAccount): Promise<AccountResult> {
  return await sql.begin(async (tx) => {
    const [used] = await tx`
      delete from ats.account_link
      where token_hash = ${hashToken(token)} and purpose = 'setup' and expires_at > now() returning 1`;
    // Somebody may have become owner in another way since the link was made.
    if (used === undefined || (await isSetUp(tx))) return { ok: false, reason: "link_invalid" };
    return await insertAccount(tx, account, { role: "owner", isVouchedFor: true });
  });
}

/** `link_invalid` and `email_taken` leave the invitation as it was. */
export async function acceptInvitation(sql: Sql, token: string, account: NewAccount): Promise<AccountResult> {
  return await sql.begin(async (tx) => {
    const [invited] = await tx<{ invitation_id: string; email: string | null; role: MemberRole }[]>`
      select invitation_id, email, role from ats.invitation
      where token_hash = ${hashToken(token)} and expires_at > now() for update`;
    if (invited === undefined) return { ok: false, reason: "link_invalid" };
    if (invited.email !== null && invited.email !== normalEmail(account.email))
      return { ok: false, reason: "email_not_invited" };
    const { role } = invited;
    const created = await insertAccount(tx, account, { role, isVouchedFor: invited.email !== null });
    if (created.ok) await tx`delete from ats.invitation where invitation_id = ${invited.invitation_id}`;
    return created;
  });
}

/**
 * An OIDC identity with the same address becomes the same member only where somebody with the right to says
 * whose address it is: the owner who invited it, or the operator. An address that somebody else typed stays
 * unproven.
 */
async function insertAccount(
  tx: Statements,
  account: NewAccount,
  { role, isVouchedFor }: { readonly role: MemberRole; readonly isVouchedFor: boolean },
): Promise<AccountResult> {
  const id = `mem_${randomBase32(20)}`;
  const [member] = await tx<MemberRecord[]>`
    insert into ats.member (member_id, name, email, email_verified, role)
    values (${id}, ${account.name.trim()}, ${normalEmail(account.email)}, ${isVouchedFor}, ${role})
    on conflict (email) do nothing returning member_id as id, email, name, role`;
  if (member === undefined) return { ok: false, reason: "email_taken" };
  await insertPassword(tx, id, account.passwordHash);
  return { ok: true, member };
}

async function insertPassword(tx: Statements, memberId: string, passwordHash: string): Promise<void> {
  await tx`
    insert into ats.account (account_id, member_id, provider, issuer, subject, password_hash)
    values (${`acc_${randomBase32(20)}`}, ${memberId}, ${PASSWORD_PROVIDER}, ${PASSWORD_ISSUER}, ${memberId}, ${passwordHash})
    on conflict (issuer, subject) do update set password_hash = excluded.password_hash, updated_at = now()`;
}

/**
 * A token by which a member sets a new password; an earlier one is void from now on. null for an unknown
 * address.
 */
export async function issuePasswordToken(sql: Statements, email: string): Promise<string | null> {
  const { token, hash } = newToken();
  const [issued] = await sql`
    insert into ats.account_link (token_hash, purpose, member_id, expires_at)
    select ${hash}, 'password', member_id, now() + make_interval(hours => ${PASSWORD_LINK_HOURS})
    from ats.member where email = ${normalEmail(email)}
    on conflict (member_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
    returning 1`;
  return issued === undefined ? null : token;
}

export async function setPasswordByToken(
  sql: Sql,
  token: string,
  passwordHash: string,
): Promise<MemberRecord | null> {
  return await sql.begin(async (tx) => {
    const [link] = await tx<{ member_id: string }[]>`
      delete from ats.account_link
      where token_hash = ${hashToken(token)} and purpose = 'password' and expires_at > now()
      returning member_id`;
    if (link === undefined) return null;
    await insertPassword(tx, link.member_id, passwordHash);
    await tx`delete from ats.session where member_id = ${link.member_id}`;
    const [member] = await tx<[MemberRecord]>`
      select member_id as id, email, name, role from ats.member where member_id = ${link.member_id}`;
    return member;
  });
}

export async function listMembers(sql: Statements): Promise<ListedMember[]> {
  const rows = await sql<(MemberRecord & { created_at: Date; last_seen_at: Date | null })[]>`
    select member_id as id, email, name, role, created_at, last_seen_at
    from ats.member order by created_at, member_id`;
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  }));
}

export type MemberChange =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly reason: "member_not_found" | "last_owner" };

export async function setMemberRole(sql: Sql, id: string, role: MemberRole): Promise<MemberChange> {
  return await changeMember(sql, id, role, async (tx) => {
    const [member] = await tx<[MemberRecord]>`
      update ats.member set role = ${role}, updated_at = now() where member_id = ${id}
      returning member_id as id, email, name, role`;
    return member;
  });
}

/** Sessions go with the member. */
export async function removeMember(sql: Sql, id: string): Promise<MemberChange> {
  return await changeMember(sql, id, null, async (tx) => {
    const [member] = await tx<[MemberRecord]>`
      delete from ats.member where member_id = ${id} returning member_id as id, email, name, role`;
    return member;
  });
}

/** Owners are locked in one order first, so that two owners who remove each other do not both succeed. */
async function changeMember(
  sql: Sql,
  id: string,
  nextRole: MemberRole | null,
  change: (tx: Statements) => Promise<MemberRecord>,
): Promise<MemberChange> {
  return await sql.begin(async (tx): Promise<MemberChange> => {
    const owners = await tx<{ member_id: string }[]>`
      select member_id from ats.member where role = 'owner' order by member_id for update`;
    const [found] = await tx`select 1 from ats.member where member_id = ${id} for update`;
    if (found === undefined) return { ok: false, reason: "member_not_found" };
    const isLastOwner = owners.length === 1 && owners[0]?.member_id === id;
    if (isLastOwner && nextRole !== "owner") return { ok: false, reason: "last_owner" };
    if (nextRole !== "owner") await tx`delete from ats.invitation where invited_by = ${id}`;
    return { ok: true, member: await change(tx) };
  });
}

export async function renameMember(sql: Statements, id: string, name: string): Promise<void> {
  await sql`update ats.member set name = ${name.trim()}, updated_at = now() where member_id = ${id}`;
}

/** A session of the member was made or renewed. */
export async function noteSeen(sql: Statements, memberId: string): Promise<void> {
  await sql`update ats.member set last_seen_at = now() where member_id = ${memberId}`;
}

export async function endSessions(sql: Statements, memberId: string): Promise<void> {
  await sql`delete from ats.session where member_id = ${memberId}`;
}
