import { issuePasswordToken, issueSetupToken, listMembers } from "../store/accounts.ts";
import { done, type Noun } from "./command.ts";
import { table } from "./table.ts";

export const noun: Noun = {
  name: "account",
  commands: [
    {
      verb: "setup-link",
      summary: "Print a new one-time link that creates the first account; earlier ones are void",
      async run({ database, config }) {
        const token = await issueSetupToken(database());
        if (token === null) {
          const message =
            "There is an owner already: sign in and invite others, or use account reset-password";
          return { ok: false, kind: "failed", message };
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
        const rows = members.map((m) => [m.id, m.email, m.name, m.role, m.created_at, m.last_seen_at]);
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
        if (token === null)
          return { ok: false, kind: "failed", message: "There is no account with this address" };
        const url = `${config.appUrl}/app/password?token=${token}`;
        return done({ url }, url);
      },
    },
  ],
};
