import type { DetectionSql } from "./detection-session.ts";

/** What detectors remember about a project, stored in the transaction of the detections that it came with. */

export interface StoredMemory {
  readonly projectNo: number;
  readonly class: string;
  readonly key: string;
  /** JSON text. */
  readonly value: string;
}

/** In the order in which they were last set, so that a full memory forgets the oldest first. */
export async function loadMemory(sql: DetectionSql, projectNos: readonly number[]): Promise<StoredMemory[]> {
  return await sql<StoredMemory[]>`
    select project_no as "projectNo", class, key, value from ats.detector_memory
    where project_no = any(${projectNos as number[]}::int[])
    order by project_no, class, updated_at, key`;
}

export async function saveMemory(
  sql: DetectionSql,
  changes: readonly { projectNo: number; class: string; key: string; value: string | null }[],
  nowMs: number,
): Promise<void> {
  if (changes.length === 0) return;
  const kept = changes.filter((change) => change.value !== null);
  const forgotten = changes.filter((change) => change.value === null);
  if (kept.length > 0) {
    await sql`
      insert into ats.detector_memory (project_no, class, key, value, updated_at)
      select m.project_no, m.class, m.key, m.value, ${new Date(nowMs)}::timestamptz + m.n * interval '1 microsecond'
      from unnest(${kept.map((c) => c.projectNo)}::int[], ${kept.map((c) => c.class)}::text[],
        ${kept.map((c) => c.key)}::text[], ${kept.map((c) => c.value!)}::text[])
        with ordinality as m (project_no, class, key, value, n)
      on conflict (project_no, class, key) do update set value = excluded.value, updated_at = excluded.updated_at`;
  }
  if (forgotten.length > 0) {
    await sql`
      delete from ats.detector_memory d
      using unnest(${forgotten.map((c) => c.projectNo)}::int[], ${forgotten.map((c) => c.class)}::text[],
        ${forgotten.map((c) => c.key)}::text[]) as m (project_no, class, key)
      where d.project_no = m.project_no and d.class = m.class and d.key = m.key`;
  }
}
