import type { Sql, Statements } from "../database/connect.ts";
import { type AdminResult, findProjectNo, invalid, notFound } from "../projects/projects.ts";
import { randomBase32 } from "../random-id.ts";
import { heldUntil } from "./deliveries.ts";

/**
 * Administration of webhooks. Invariant: a secret is told once, by the call that made it. It signs bodies, so
 * unlike a key it is stored as it is. After a rotation the old secret signs beside the new one for
 * `overlapSeconds`, so that a receiver can change over without losing a delivery. Which addresses may be
 * reached is decided when connecting, on the address and not on the name, so it is not checked here.
 */

const overlapSeconds = 86_400;
const urlCharactersMax = 2048;

export interface WebhookRecord {
  readonly id: string;
  readonly project_id: string;
  readonly url: string;
  readonly created_at: Date;
  readonly disabled_at: Date | null;
  readonly disabled_reason: string | null;
  readonly failing_since: Date | null;
  /** Its receiver asked for a pause, and until then it is sent nothing but tests. */
  readonly held_until: Date | null;
}

export interface CreatedWebhook {
  readonly id: string;
  readonly secret: string;
  readonly project_id: string;
  readonly url: string;
}

export interface RotatedWebhook {
  readonly id: string;
  readonly secret: string;
  readonly previous_secret_until: Date;
}

export interface DeletedWebhook {
  readonly id: string;
  readonly deleted: true;
  /** Of its delivery log. */
  readonly deliveries_deleted: number;
  /** Among them: what it was still to be sent. */
  readonly pending_dropped: number;
}

/** The form of the Standard Webhooks libraries: a prefix and base64 of the key's bytes. */
function newSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`;
}

function urlProblem(text: string): string | null {
  if (text.length > urlCharactersMax) return `a webhook URL has at most ${urlCharactersMax} characters`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "a webhook URL is absolute, such as https://example.org/hook";
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return "a webhook URL starts with https:// or http://";
  if (url.username !== "" || url.password !== "") return "a webhook URL holds no user and no password";
  return null;
}

export async function createWebhook(
  sql: Statements,
  input: { readonly projectId: string; readonly url: string },
): Promise<AdminResult<CreatedWebhook>> {
  const problem = urlProblem(input.url);
  if (problem !== null) return invalid(problem, "url");
  const projectNo = await findProjectNo(sql, input.projectId);
  if (projectNo === null) return notFound("project", input.projectId);
  const url = new URL(input.url).href;
  const id = `wh_${randomBase32(20)}`;
  const secret = newSecret();
  await sql`
    insert into ats.webhook (project_no, webhook_id, url, secret) values (${projectNo}, ${id}, ${url}, ${secret})`;
  return { ok: true, value: { id, secret, project_id: input.projectId, url } };
}

export async function listWebhooks(
  sql: Statements,
  filter: { readonly projectId?: string | undefined } = {},
): Promise<AdminResult<WebhookRecord[]>> {
  if (filter.projectId !== undefined && (await findProjectNo(sql, filter.projectId)) === null) {
    return notFound("project", filter.projectId);
  }
  const webhooks = await sql<WebhookRecord[]>`
    select w.webhook_id as id, p.project_id, w.url, w.created_at, w.disabled_at, w.disabled_reason, w.failing_since,
      ${heldUntil(sql)} as held_until
    from ats.webhook w join ats.project p using (project_no)
    where ${filter.projectId ?? null}::text is null or p.project_id = ${filter.projectId ?? null}
    order by w.project_no, w.created_at, w.webhook_id`;
  return { ok: true, value: [...webhooks] };
}

/** Some 200 ms of work. */
const deliveriesDeletedAtOnce = 5_000;

/**
 * With its deliveries, and these first, in steps: detection waits for a webhook that is being deleted before
 * it owes anything to another of the project, and a million deliveries take half a minute. Switched off until
 * then, so that none are added; a deletion that is broken off is begun again.
 */
export async function deleteWebhook(sql: Sql, id: string): Promise<AdminResult<DeletedWebhook>> {
  const [webhook] = await sql<{ projectNo: number }[]>`
    update ats.webhook
    set disabled_reason = case when disabled_at is null then 'being deleted' else disabled_reason end,
      disabled_at = coalesce(disabled_at, now())
    where webhook_id = ${id} returning project_no as "projectNo"`;
  if (webhook === undefined) return notFound("webhook", id);
  let deliveries = 0;
  let pending = 0;
  for (let count = deliveriesDeletedAtOnce; count === deliveriesDeletedAtOnce; ) {
    const [gone] = await sql<[{ count: number; pending: number }]>`
      with gone as (
        delete from ats.delivery where ctid = any(array(
          select ctid from ats.delivery
          where project_no = ${webhook.projectNo} and webhook_id = ${id} limit ${deliveriesDeletedAtOnce}
        )) returning finished_at
      ) select count(*)::int as count, (count(*) filter (where finished_at is null))::int as pending from gone`;
    ({ count } = gone);
    deliveries += count;
    pending += gone.pending;
  }
  const deleted = await sql`delete from ats.webhook where webhook_id = ${id}`;
  return deleted.count === 0
    ? notFound("webhook", id)
    : { ok: true, value: { id, deleted: true, deliveries_deleted: deliveries, pending_dropped: pending } };
}

/**
 * Sends to another address from now on, what is already owed too. What the old address did does not count
 * against it.
 */
export async function moveWebhook(
  sql: Statements,
  id: string,
  to: { readonly url: string },
): Promise<AdminResult<{ id: string; url: string }>> {
  const problem = urlProblem(to.url);
  if (problem !== null) return invalid(problem, "url");
  const url = new URL(to.url).href;
  const moved = await sql`
    update ats.webhook set url = ${url}, failing_since = null, last_failed_at = null, held_until = null
    where webhook_id = ${id}`;
  return moved.count === 0 ? notFound("webhook", id) : { ok: true, value: { id, url } };
}

export async function rotateWebhookSecret(sql: Statements, id: string): Promise<AdminResult<RotatedWebhook>> {
  const secret = newSecret();
  const [rotated] = await sql<{ previous_secret_until: Date }[]>`
    update ats.webhook
    set previous_secret = secret, previous_secret_until = now() + ${overlapSeconds} * interval '1 second',
      secret = ${secret}
    where webhook_id = ${id} returning previous_secret_until`;
  return rotated === undefined ? notFound("webhook", id) : { ok: true, value: { id, secret, ...rotated } };
}
