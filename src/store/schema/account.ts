import { sql } from "drizzle-orm";
import { boolean, check, index, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { ats } from "./namespace.ts";

/**
 * Accounts of the dashboard: of the installation, not of a project. The property names of member, session,
 * account and verification are better-auth's own (its user is our member); the columns are ours.
 */

export const member = ats.table(
  "member",
  {
    /** `mem_` and 20 characters. */
    id: text("member_id").primaryKey(),
    name: text("name").notNull(),
    /** In lower case. */
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").notNull().default(false),
    image: text("image"),
    role: text("role").notNull().default("viewer"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
    /**
     * When a session was last made or renewed; it outlives the session. Ours alone: better-auth does not know
     * of it.
     */
    lastSeenAt: moment("last_seen_at"),
  },
  (t) => [
    uniqueIndex("member_email").on(t.email),
    check("member_role_values", sql`${t.role} in ('viewer', 'member', 'owner')`),
    check("member_email_lower_case", sql`${t.email} = lower(${t.email})`),
  ],
);

export const session = ats.table(
  "session",
  {
    id: text("session_id").primaryKey(),
    token: text("token").notNull(),
    userId: text("member_id")
      .notNull()
      .references(() => member.id, { onDelete: "cascade" }),
    expiresAt: moment("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("session_token").on(t.token),
    index("session_member").on(t.userId),
    index("session_expiry").on(t.expiresAt),
  ],
);

/** A way to sign in: a password, or an identity at the OIDC provider. */
export const account = ats.table(
  "account",
  {
    id: text("account_id").primaryKey(),
    userId: text("member_id")
      .notNull()
      .references(() => member.id, { onDelete: "cascade" }),
    providerId: text("provider").notNull(),
    /** Who vouches for `subject`: the provider's issuer, or this service for a password. */
    issuer: text("issuer").notNull(),
    /** The member as the issuer knows them. */
    accountId: text("subject").notNull(),
    /** scrypt, with its salt. */
    password: text("password_hash"),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: moment("access_token_expires_at"),
    refreshTokenExpiresAt: moment("refresh_token_expires_at"),
    scope: text("scope"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (t) => [uniqueIndex("account_identity").on(t.issuer, t.accountId), index("account_member").on(t.userId)],
);

/** Short-lived values of a sign-in under way, such as OIDC's state. */
export const verification = ats.table(
  "verification",
  {
    id: text("verification_id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: moment("expires_at").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (t) => [index("verification_identifier").on(t.identifier), index("verification_expiry").on(t.expiresAt)],
);

/** A one-time link by which somebody becomes a member. The row goes when it is used. */
export const invitation = ats.table(
  "invitation",
  {
    /** `inv_` and 20 characters. */
    invitationId: text("invitation_id").primaryKey(),
    tokenHash: bytea("token_hash").notNull(),
    /** Null: whoever holds the link. */
    email: text("email"),
    role: text("role").notNull(),
    /** Null when whoever invited has left. */
    invitedBy: text("invited_by").references(() => member.id, { onDelete: "set null" }),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
  },
  (t) => [
    uniqueIndex("invitation_token").on(t.tokenHash),
    check("invitation_role_values", sql`${t.role} in ('viewer', 'member', 'owner')`),
  ],
);

/**
 * Links for who has no session: `setup` makes the first owner, `password` sets a member's password anew. One
 * of each at a time.
 */
export const accountLink = ats.table(
  "account_link",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    purpose: text("purpose").notNull(),
    /** Null for `setup`. */
    memberId: text("member_id").references(() => member.id, { onDelete: "cascade" }),
    expiresAt: moment("expires_at").notNull(),
  },
  (t) => [
    uniqueIndex("account_link_setup").on(t.purpose).where(sql`${t.purpose} = 'setup'`),
    uniqueIndex("account_link_member").on(t.memberId),
    check("account_link_purpose_values", sql`${t.purpose} in ('setup', 'password')`),
    check("account_link_member_matches_purpose", sql`(${t.memberId} is null) = (${t.purpose} = 'setup')`),
  ],
);

/**
 * One row: what cookies are signed with. Here, so that sessions outlive a restart and hold on every replica.
 */
export const cookieSecret = ats.table(
  "cookie_secret",
  {
    only: boolean("only").primaryKey().default(true),
    secret: text("secret").notNull(),
  },
  (t) => [check("cookie_secret_only_row", sql`${t.only}`)],
);
