import { Elysia, status, t } from "elysia";
import {
  type ProjectActivity,
  readFirstEvent,
  readProjectActivity,
} from "../../store/dashboard/settings-projects.ts";
import {
  createProject,
  findProject,
  listProjects,
  type Project,
  updateProject,
} from "../../store/projects/projects.ts";
import { type ApiServices, guard } from "./guard.ts";
import { isoDates } from "./iso-dates.ts";
import { absent, refusalOf } from "./refusals.ts";

/**
 * Projects and their limits. What a value may be is the store's to say; here stands only what keeps a body
 * small.
 */

const Name = t.String({ maxLength: 1_000 });
const Limits = t.Object({
  rate_burst: t.Optional(t.Number()),
  rate_per_second: t.Optional(t.Number()),
  cooldown_seconds: t.Optional(t.Number()),
  alert_scope: t.Optional(t.String({ maxLength: 20 })),
  /** Null keeps everything for ever. */
  retention_days: t.Optional(t.Nullable(t.Number())),
});
const Creation = t.Composite([t.Object({ name: Name }), Limits]);
const Change = t.Composite([t.Object({ name: t.Optional(Name) }), Limits]);

const inputOf = (body: typeof Limits.static) => ({
  rateBurst: body.rate_burst,
  ratePerSecond: body.rate_per_second,
  cooldownSeconds: body.cooldown_seconds,
  alertScope: body.alert_scope,
  retentionDays: body.retention_days,
});

/** The project with what happens in it. */
function shown({ id, ...project }: Project, activity: ProjectActivity | undefined) {
  const { open_groups = 0, last_event_at = null } = activity ?? {};
  return isoDates({ project_id: id, ...project, open_groups, last_event_at });
}

export const projectRoutes = (services: ApiServices) => {
  const { sql } = services;

  const withActivity = async (project: Project, projectNo: number) =>
    shown(project, (await readProjectActivity(sql, projectNo))[0]);

  return new Elysia()
    .use(guard(services))
    .get(
      "/projects",
      async () => {
        const [projects, activities] = await Promise.all([listProjects(sql), readProjectActivity(sql, null)]);
        const activityOf = new Map(activities.map((activity) => [activity.project_id, activity]));
        return {
          items: projects.map((project) => shown(project, activityOf.get(project.id))),
        };
      },
      { role: "viewer" },
    )
    .post(
      "/projects",
      async ({ body }) => {
        const created = await createProject(sql, { name: body.name, ...inputOf(body) });
        if (!created.ok) return refusalOf(created, "project");
        return status(201, shown(created.value, undefined));
      },
      { role: "owner", body: Creation },
    )
    .get(
      "/projects/:project_id",
      async ({ params, projectNo }) => {
        const project = await findProject(sql, params.project_id);
        return project === null ? absent("project") : await withActivity(project, projectNo);
      },
      { projectRole: "viewer" },
    )
    .patch(
      "/projects/:project_id",
      async ({ params, body, projectNo }) => {
        const updated = await updateProject(sql, params.project_id, { name: body.name, ...inputOf(body) });
        return updated.ok ? await withActivity(updated.value, projectNo) : refusalOf(updated, "project");
      },
      { projectRole: "member", body: Change },
    )
    .get(
      "/projects/:project_id/first-event",
      async ({ projectNo }) => isoDates(await readFirstEvent(sql, projectNo)),
      { projectRole: "viewer" },
    );
};
