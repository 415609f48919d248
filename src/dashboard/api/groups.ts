import { Elysia, status } from "elysia";
import { activityBuckets, readActivity } from "../../store/dashboard/group-activity.ts";
import {
  findMembership,
  listGroupDeliveries,
  listGroupDetections,
  listGroupExecutions,
  summariseRecent,
} from "../../store/dashboard/group-evidence.ts";
import { findGroupItem, listGroupItems, listMergedGroups } from "../../store/dashboard/groups.ts";
import { timeOf } from "../../store/given-time.ts";
import { findFailureClass } from "./failure-classes.ts";
import { applyToGroups } from "./group-actions.ts";
import {
  evidenceQuery,
  evidenceQueryOf,
  groupAction,
  groupListQuery,
  lastDay,
  listQueryOf,
  pageQuery,
  rangeQuery,
  timeRangeOf,
} from "./group-query.ts";
import { type ApiServices, guard } from "./guard.ts";

const CHART_BUCKETS_MAX = 96;

const badRange = (detail: string) => status(400, { code: "invalid_range", detail });
const noGroup = () => status(404, { code: "group_not_found", detail: "There is no such failure group" });

/** Failure groups: the list, one of them with what stands behind it, and what people do with them. */
export const groupRoutes = (services: ApiServices) => {
  const { sql } = services;
  return new Elysia({ name: "dashboard-groups" })
    .use(guard(services))
    .get(
      "/projects/:project_id/groups",
      async ({ projectNo, query }) => {
        const nowMs = Date.now();
        const range = timeRangeOf(query, nowMs);
        if (typeof range === "string") return badRange(range);
        return await listGroupItems(sql, projectNo, listQueryOf(query, range, nowMs));
      },
      { projectRole: "viewer", query: groupListQuery },
    )
    .post(
      "/projects/:project_id/groups/bulk",
      async ({ projectNo, body, member }) => {
        if (body.action === "ignore" && body.until != null && !((timeOf(body.until) ?? 0) > Date.now()))
          return status(400, { code: "invalid_until", detail: "A group is ignored until a time to come" });
        return { results: await applyToGroups(sql, projectNo, body, member.email) };
      },
      { projectRole: "member", body: groupAction },
    )
    .get(
      "/projects/:project_id/groups/:group_id",
      async ({ projectNo, params }) => {
        const id = params.group_id;
        const [group, membership] = await Promise.all([
          findGroupItem(sql, projectNo, id),
          findMembership(sql, projectNo, id),
        ]);
        if (group === null || membership === null) return noGroup();
        const [merged, recent, latest] = await Promise.all([
          membership.groupIds.length > 1 ? listMergedGroups(sql, projectNo, id) : [],
          summariseRecent(sql, membership),
          listGroupDetections(sql, membership, evidenceQueryOf({ limit: 1 }, null)),
        ]);
        return {
          group,
          detector: findFailureClass(group.class),
          latest: latest.items[0] ?? null,
          recent,
          merged_groups: merged,
        };
      },
      { projectRole: "viewer" },
    )
    .get(
      "/projects/:project_id/groups/:group_id/occurrences",
      async ({ projectNo, params, query }) => {
        const nowMs = Date.now();
        const range = timeRangeOf(query, nowMs);
        if (typeof range === "string") return badRange(range);
        const group = await findMembership(sql, projectNo, params.group_id);
        if (group === null) return noGroup();
        const buckets = activityBuckets(range ?? lastDay(nowMs), CHART_BUCKETS_MAX, nowMs);
        const [counts] = await readActivity(
          sql,
          projectNo,
          [{ groupId: params.group_id, memberIds: group.groupIds }],
          buckets,
        );
        return {
          start_at: new Date(buckets.startMs).toISOString(),
          bucket_s: buckets.bucketMs / 1000,
          counts: counts!,
        };
      },
      { projectRole: "viewer", query: rangeQuery },
    )
    .get(
      "/projects/:project_id/groups/:group_id/detections",
      async ({ projectNo, params, query }) => {
        const range = timeRangeOf(query, Date.now());
        if (typeof range === "string") return badRange(range);
        const group = await findMembership(sql, projectNo, params.group_id);
        if (group === null) return noGroup();
        return await listGroupDetections(sql, group, evidenceQueryOf(query, range));
      },
      { projectRole: "viewer", query: evidenceQuery },
    )
    .get(
      "/projects/:project_id/groups/:group_id/executions",
      async ({ projectNo, params, query }) => {
        const range = timeRangeOf(query, Date.now());
        if (typeof range === "string") return badRange(range);
        const group = await findMembership(sql, projectNo, params.group_id);
        if (group === null) return noGroup();
        return await listGroupExecutions(sql, group, evidenceQueryOf(query, range));
      },
      { projectRole: "viewer", query: evidenceQuery },
    )
    .get(
      "/projects/:project_id/groups/:group_id/deliveries",
      async ({ projectNo, params, query }) => {
        const group = await findMembership(sql, projectNo, params.group_id);
        if (group === null) return noGroup();
        const page = await listGroupDeliveries(sql, group, evidenceQueryOf(query, null));
        return {
          ...page,
          items: page.items.map(({ webhook_url, ...delivery }) => ({
            ...delivery,
            webhook_host: hostOf(webhook_url),
          })),
        };
      },
      { projectRole: "viewer", query: pageQuery },
    );
};

/** The path of a chat's webhook is its password: those who only look see the host. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}
