import {
  endSessions,
  findMemberByEmail,
  issuePasswordToken,
  issueSetupToken,
  listMembers,
  type MemberChange,
  type MemberRecord,
  memberRoles,
  removeMember,
  setMemberRole,
} from "../store/accounts/accounts.ts";
import type { Sql } from "../store/database/connect.ts";
import { type CommandResult, done, failed, type Noun } from "./command.ts";
import { record, table } from "./table.ts";

const unknownAddress = () => failed("There is no account with this address");

/** Runs `work` with the member who has the address. */
async function withMember(
  sql: Sql,
  email: string | undefined,
  work: (member: MemberRecord) => Promise<CommandResult>,
): Promise<CommandResult> {
  const member = await findMemberByEmail(sql, email ?? "");
  return member === null ? unknownAddress() : await work(member);
}

/** What was done to a member; `said` tells it to a reader. */
function changed(change: MemberChange, said: (member: MemberRecord) => string): CommandResult {
  if (change.ok) return done(change.member, said(change.member));
  return change.reason === "last_owner"
    ? failed("The last owner stays: make somebody else owner first")
    : unknownAddress();
}

export const noun: Noun = {
  name: "account",
  commands: [
    {
      verb: "setup-link",
      summary: "Print a new one-time link that creates the first account; earlier ones are void",
      async run({ database, config }) {
        const token = await issueSetupToken(database());
        if (token === null) {
          return failed(
            "There is an owner already: sign in and invite others, or use account reset-password",
          );
        }
        const url = `${config.appUrl}/app/setup?token=${token}`;
        return done({ url }, url);
      },
    },
    {
      verb: "list",
      summary: "List the accounts and their roles",
      async run({ database }) {
        const members = await listMembers(database());
        const rows = members.map((m) => [
          m.id,
          m.email,
          m.name,
          m.role,
          new Date(m.created_at),
          m.last_seen_at === null ? null : new Date(m.last_seen_at),
        ]);
        const columns = ["ID", "E-MAIL", "NAME", "ROLE", "CREATED", "LAST SEEN"];
        return done(
          members,
          table({ columns, rows, empty: "No accounts yet: account setup-link makes the first." }),
        );
      },
    },
    {
      verb: "reset-password",
      summary:
        "Print a one-time link by which an account gets a new password; its sessions end when it is used",
      positionals: ["EMAIL"],
      async run({ database, positionals, config }) {
        const token = await issuePasswordToken(database(), positionals[0] ?? "");
        if (token === null) return unknownAddress();
        const url = `${config.appUrl}/app/password?token=${token}`;
        return done({ url }, url);
      },
    },
    {
      verb: "set-role",
      summary: "Make an account viewer, member or owner; it holds from its next request on",
      positionals: ["EMAIL"],
      flags: {
        role: {
          kind: "text",
          placeholder: "ROLE",
          summary: "The role from now on",
          choices: memberRoles,
          required: true,
        },
      },
      async run({ database, positionals, flags }) {
        const role = memberRoles.find((known) => known === flags.text("role"))!;
        return await withMember(database(), positionals[0], async ({ id }) =>
          changed(await setMemberRole(database(), id, role), (member) => record({ ...member })),
        );
      },
    },
    {
      verb: "sign-out",
      summary: "End all sessions of an account",
      positionals: ["EMAIL"],
      run: async ({ database, positionals }) =>
        await withMember(database(), positionals[0], async ({ id, email }) => {
          await endSessions(database(), id);
          return done({ id, signed_in: false }, `All sessions of ${email} are over.`);
        }),
    },
    {
      verb: "remove",
      summary: "Remove an account; its sessions end at once",
      positionals: ["EMAIL"],
      run: async ({ database, positionals }) =>
        await withMember(database(), positionals[0], async ({ id }) => {
          const removed = await removeMember(database(), id);
          return changed(removed, ({ email }) => `Removed ${email}.`);
        }),
    },
  ],
};
