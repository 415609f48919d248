/**
 * What there is to look at in a filled project: ids for the pages' addresses, found by SQL before anything is
 * measured.
 */
import { connect } from "../../src/store/database/connect.ts";

export interface Subjects {
  readonly projectId: string;
  /** Of some 20 events each, most of them with a detection. */
  readonly executions: readonly { readonly id: string; readonly eventId: string }[];
  readonly bigExecution: { readonly id: string; readonly eventId: string; readonly lateSequence: number };
  readonly crashSignature: string;
  /** The one with the most firings first. */
  readonly groups: readonly string[];
  /** By firings, the most frequent first. */
  readonly classes: readonly string[];
  /** The one with the most deliveries. */
  readonly webhookId: string;
  readonly deliveries: readonly string[];
}

const EXECUTIONS = 300;
const GROUPS = 40;
const DELIVERIES = 50;

export async function findSubjects(
  url: string,
  projectId: string,
  bigExecutionNo: number,
): Promise<Subjects> {
  const sql = connect({ url, connectionsMax: 1, applicationName: "bench" });
  try {
    const [project] = await sql<{ no: number }[]>`
      select project_no as no from ats.project where project_id = ${projectId}`;
    const no = project?.no ?? 0;
    const executions = await sql<{ id: string; eventId: string }[]>`
      select x.execution_id as id, d.event_id as "eventId"
      from generate_series(1, ${EXECUTIONS}) n
      cross join lateral (
        select * from ats.detection d where d.project_no = ${no}
          and d.execution_no >= n * ${bigExecutionNo}::bigint / ${EXECUTIONS + 1} order by d.execution_no limit 1
      ) d
      join ats.execution x on x.project_no = ${no} and x.execution_no = d.execution_no`;
    const big = await sql<{ id: string; eventId: string; lateSequence: number }[]>`
      select x.execution_id as id, e.event_id as "eventId", e.sequence as "lateSequence"
      from ats.execution x join ats.event e on e.project_no = x.project_no and e.execution_no = x.execution_no
      where x.project_no = ${no} and x.execution_no = ${bigExecutionNo} order by e.sequence desc offset 500 limit 1`;
    const crashed = await sql<{ signature: string }[]>`
      select crash_signature as signature from ats.execution
      where project_no = ${no} and crash_signature is not null limit 1`;
    const groups = await sql<{ id: string; class: string }[]>`
      select group_id as id, class from ats.failure_group
      where project_no = ${no} and merged_into is null order by firing_count desc, group_id limit ${GROUPS}`;
    const webhooks = await sql<{ id: string }[]>`
      select webhook_id as id from ats.delivery where project_no = ${no} group by 1 order by count(*) desc limit 1`;
    const webhookId = webhooks[0]?.id;
    const deliveries = await sql<{ id: string }[]>`
      select delivery_id as id from ats.delivery where project_no = ${no} and webhook_id = ${webhookId ?? ""}
      order by created_at desc limit ${DELIVERIES}`;
    const bigExecution = big[0];
    const crashSignature = crashed[0]?.signature;
    if (
      bigExecution === undefined ||
      crashSignature === undefined ||
      webhookId === undefined ||
      groups.length === 0
    )
      throw new Error("the database was not filled by this bench");
    return {
      projectId,
      executions,
      bigExecution,
      crashSignature,
      groups: groups.map((group) => group.id),
      classes: [...new Set(groups.map((group) => group.class))],
      webhookId,
      deliveries: deliveries.map((delivery) => delivery.id),
    };
  } finally {
    await sql.end({ timeout: 5 });
  }
}
