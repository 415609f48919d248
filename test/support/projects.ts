/**
 * Projects and keys for tests, by straight SQL: the one place that knows how a key is stored besides the
 * service.
 *
 * Mint before the service starts where you can; a key minted later is known to it within two seconds
 * (`eventually`).
 */
import { createHash, randomBytes } from "node:crypto";
import type { Sql } from "postgres";

export interface TestProject {
  readonly projectId: string;
  readonly projectNo: number;
  readonly keyId: string;
  readonly key: string;
}

export interface ProjectRate {
  rateBurst?: number;
  ratePerSecond?: number;
}

/** Wide enough that no test meets its bucket unless it is about the bucket. */
const unlimited = { rateBurst: 1_000_000, ratePerSecond: 1_000_000 };

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

function randomName(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % 32)).join("");
}

export function freshKey(): string {
  return `service_sk_${randomName(32)}`;
}

export async function mintKey(sql: Sql, projectNo: number): Promise<{ keyId: string; key: string }> {
  const key = freshKey();
  const keyId = `key_${randomName(20)}`;
  await sql`
    insert into ats.api_key (project_no, key_id, key_hash, hint)
    values (${projectNo}, ${keyId}, ${createHash("sha256").update(key).digest()}, ${key.slice(-4)})`;
  return { keyId, key };
}

export async function mintProject(sql: Sql, rate: ProjectRate = unlimited): Promise<TestProject> {
  const projectId = `proj_${randomName(20)}`;
  const rows = await sql<{ projectNo: number }[]>`
    insert into ats.project (project_id, name, rate_burst, rate_per_second)
    values (${projectId}, 'test', ${rate.rateBurst ?? 100}, ${rate.ratePerSecond ?? 10})
    returning project_no as "projectNo"`;
  const projectNo = rows[0]!.projectNo;
  return { projectId, projectNo, ...(await mintKey(sql, projectNo)) };
}
