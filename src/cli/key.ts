import { createKey, listKeys, revokeKey } from "../store/projects/keys.ts";
import { done, type Noun, refused } from "./command.ts";
import { record, table } from "./table.ts";

export const noun: Noun = {
  name: "key",
  commands: [
    {
      verb: "create",
      summary: "Create an API key; the key itself is shown this once",
      flags: {
        project: { kind: "text", placeholder: "ID", summary: "The project it opens", required: true },
        name: { kind: "text", placeholder: "NAME", summary: "What it is for" },
      },
      async run({ database, flags }) {
        const created = await createKey(database(), {
          projectId: flags.text("project") ?? "",
          name: flags.text("name"),
        });
        if (!created.ok) return refused(created);
        return done(created.value, `${record({ ...created.value })}\n\nThe key cannot be shown again.`);
      },
    },
    {
      verb: "list",
      summary: "List keys, without the keys themselves",
      flags: { project: { kind: "text", placeholder: "ID", summary: "Only of this project" } },
      async run({ database, flags }) {
        const listed = await listKeys(database(), { projectId: flags.text("project") });
        if (!listed.ok) return refused(listed);
        const rows = listed.value.map((k) => [
          k.id,
          k.project_id,
          `…${k.hint}`,
          k.name,
          k.created_at,
          k.last_used_at,
          k.revoked_at,
        ]);
        const columns = ["ID", "PROJECT", "ENDS IN", "NAME", "CREATED", "LAST USED", "REVOKED"];
        return done(listed.value, table({ columns, rows, empty: "No keys yet." }));
      },
    },
    {
      verb: "revoke",
      summary: "Revoke a key; it is refused within 2 s",
      positionals: ["ID"],
      async run({ database, positionals }) {
        const revoked = await revokeKey(database(), positionals[0] ?? "");
        if (!revoked.ok) return refused(revoked);
        return done(revoked.value, `Revoked ${revoked.value.id} (…${revoked.value.hint}).`);
      },
    },
  ],
};
