import type { Statements } from "../database/connect.ts";
import { randomBase32 } from "../random-id.ts";
import { type AdminResult, findProjectNo, invalid, nameProblem, notFound } from "./projects.ts";

/**
 * Administration of API keys. Invariant: the raw key exists in the answer of `createKey` and nowhere else;
 * the table holds its SHA-256. A key has 160 random bits, so the plain hash needs neither salt nor
 * stretching.
 */

const keyPrefix = "service_sk_";
const KEY_DIGITS = 32;

/** True of what may have been minted here. */
export const looksMinted = (key: string): boolean =>
  key.length === keyPrefix.length + KEY_DIGITS && key.startsWith(keyPrefix);

export interface KeyRecord {
  readonly id: string;
  readonly project_id: string;
  readonly name: string | null;
  /** The last four characters, to tell keys apart. */
  readonly hint: string;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly project_id: string;
  readonly name: string | null;
}

/** What is stored and looked up: over the whole key, prefix included. */
function hashKey(key: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(key).digest();
}

export async function createKey(
  sql: Statements,
  input: { readonly projectId: string; readonly name?: string | undefined },
): Promise<AdminResult<CreatedKey>> {
  const problem = input.name === undefined ? null : nameProblem(input.name);
  if (problem !== null) return invalid(problem, "name");
  const projectNo = await findProjectNo(sql, input.projectId);
  if (projectNo === null) return notFound("project", input.projectId);
  const key = `${keyPrefix}${randomBase32(KEY_DIGITS)}`;
  const id = `key_${randomBase32(20)}`;
  const name = input.name ?? null;
  await sql`
    insert into ats.api_key (project_no, key_id, key_hash, hint, name)
    values (${projectNo}, ${id}, ${hashKey(key)}, ${key.slice(-4)}, ${name})`;
  return { ok: true, value: { id, key, project_id: input.projectId, name } };
}

export async function listKeys(
  sql: Statements,
  filter: { readonly projectId?: string | undefined } = {},
): Promise<AdminResult<KeyRecord[]>> {
  if (filter.projectId !== undefined && (await findProjectNo(sql, filter.projectId)) === null) {
    return notFound("project", filter.projectId);
  }
  const keys = await sql<KeyRecord[]>`
    select ${fields(sql)} from ats.api_key k join ats.project p using (project_no)
    where ${filter.projectId ?? null}::text is null or p.project_id = ${filter.projectId ?? null}
    order by k.project_no, k.created_at, k.key_id`;
  return { ok: true, value: [...keys] };
}

/** Revoking again changes nothing and answers the first time of it. */
export async function revokeKey(sql: Statements, id: string): Promise<AdminResult<KeyRecord>> {
  const [revoked] = await sql<KeyRecord[]>`
    update ats.api_key k set revoked_at = coalesce(k.revoked_at, now())
    from ats.project p where p.project_no = k.project_no and k.key_id = ${id}
    returning ${fields(sql)}`;
  return revoked === undefined ? notFound("key", id) : { ok: true, value: revoked };
}

function fields(sql: Statements) {
  return sql`k.key_id as id, p.project_id, k.name, k.hint, k.created_at, k.revoked_at, k.last_used_at`;
}
