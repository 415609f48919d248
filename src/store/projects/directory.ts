import type { Sql } from "postgres";

/**
 * What authentication and limiting need to know, read as a whole: every project, and every key that is not
 * revoked.
 */
export interface DirectorySnapshot {
  readonly version: number;
  readonly projects: readonly DirectoryProject[];
  readonly keys: readonly { readonly projectNo: number; readonly keyId: string; readonly hashHex: string }[];
}

export interface DirectoryProject {
  readonly projectNo: number;
  readonly projectId: string;
  readonly rateBurst: number;
  readonly ratePerSecond: number;
}

/** Channel that triggers on ats.project and ats.api_key notify. */
export const DIRECTORY_CHANNEL = "ats_directory";

export async function readDirectoryVersion(sql: Sql): Promise<number> {
  const rows = await sql`select version from ats.directory_version`;
  return rows[0]!.version as number;
}

/** One snapshot of all three tables, so that a key never stands without its project. */
export async function readDirectory(sql: Sql): Promise<DirectorySnapshot> {
  return await sql.begin("isolation level repeatable read read only", async (tx) => {
    const version = await tx`select version from ats.directory_version`;
    const projects = await tx`select project_no, project_id, rate_burst, rate_per_second from ats.project`;
    const keys =
      await tx`select project_no, key_id, encode(key_hash, 'hex') as hash from ats.api_key where revoked_at is null`;
    return {
      version: version[0]!.version as number,
      projects: projects.map((row) => ({
        projectNo: row.project_no as number,
        projectId: row.project_id as string,
        rateBurst: row.rate_burst as number,
        ratePerSecond: row.rate_per_second as number,
      })),
      keys: keys.map((row) => ({
        projectNo: row.project_no as number,
        keyId: row.key_id as string,
        hashHex: row.hash as string,
      })),
    };
  });
}

/** Notes when keys were last used. `usedMs` is Unix time in milliseconds. */
export async function noteKeyUse(
  sql: Sql,
  uses: readonly { readonly projectNo: number; readonly keyId: string; readonly usedMs: number }[],
): Promise<void> {
  const sorted = uses.toSorted((a, b) => a.projectNo - b.projectNo || (a.keyId < b.keyId ? -1 : 1));
  await sql.unsafe(
    `update ats.api_key k set last_used_at = u.used
     from unnest($1::int[], $2::text[], $3::timestamptz[]) u(project_no, key_id, used)
     where k.project_no = u.project_no and k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < u.used)`,
    [
      sorted.map((use) => use.projectNo),
      sorted.map((use) => use.keyId),
      sorted.map((use) => new Date(use.usedMs).toISOString()),
    ],
    { prepare: true },
  );
}
