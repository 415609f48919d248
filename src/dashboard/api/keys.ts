import { Elysia, status, t } from "elysia";
import { hasKey } from "../../store/dashboard/settings-projects.ts";
import { createKey, type KeyRecord, listKeys, revokeKey } from "../../store/projects/keys.ts";
import { type ApiServices, guard } from "./guard.ts";
import { isoDates } from "./iso-dates.ts";
import { absent, isId, refusalOf } from "./refusals.ts";

/** API keys of a project. The key itself is in the answer that made it, and in no other. */

const shown = ({ project_id: _, ...key }: KeyRecord) => isoDates(key);

export const keyRoutes = (services: ApiServices) => {
  const { sql } = services;
  return new Elysia()
    .use(guard(services))
    .get(
      "/projects/:project_id/keys",
      async ({ params }) => {
        const listed = await listKeys(sql, { projectId: params.project_id });
        return listed.ok ? { items: listed.value.map(shown) } : refusalOf(listed, "project");
      },
      { projectRole: "viewer" },
    )
    .post(
      "/projects/:project_id/keys",
      async ({ params, body }) => {
        const created = await createKey(sql, { projectId: params.project_id, name: body.name });
        if (!created.ok) return refusalOf(created, "project");
        const { id, key, name } = created.value;
        return status(201, { id, key, name });
      },
      { projectRole: "member", body: t.Object({ name: t.Optional(t.String({ maxLength: 1_000 })) }) },
    )
    .post(
      "/projects/:project_id/keys/:key_id/revoke",
      async ({ params, projectNo }) => {
        if (!isId(params.key_id) || !(await hasKey(sql, projectNo, params.key_id))) return absent("key");
        const revoked = await revokeKey(sql, params.key_id);
        return revoked.ok ? shown(revoked.value) : refusalOf(revoked, "key");
      },
      { projectRole: "member" },
    );
};
