import type { Sql } from "../database/connect.ts";

/**
 * A project's own detector settings, as JSON. What they mean and which of them are valid belongs to
 * src/detect/settings.ts; the detection thread reads them again within 2 s of a change.
 */

export async function readDetectorSettings(sql: Sql, projectId: string): Promise<unknown> {
  const rows =
    await sql`select detector_settings::text as settings from ats.project where project_id = ${projectId}`;
  return rows.length === 0 ? undefined : JSON.parse(rows[0]!.settings as string);
}

/**
 * Changes the settings of a project in one step: nobody else's change comes between. Undefined: no such
 * project.
 */
export async function changeDetectorSettings<T>(
  sql: Sql,
  projectId: string,
  change: (settings: unknown) => { readonly write: unknown } | { readonly refuse: T },
): Promise<{ readonly written: unknown } | { readonly refused: T } | undefined> {
  return await sql.begin(async (tx) => {
    const rows = await tx`
      select detector_settings::text as settings from ats.project where project_id = ${projectId} for update`;
    if (rows.length === 0) return undefined;
    const changed = change(JSON.parse(rows[0]!.settings as string));
    if ("refuse" in changed) return { refused: changed.refuse };
    await tx`
      update ats.project set detector_settings = ${JSON.stringify(changed.write)}::text::jsonb
      where project_id = ${projectId}`;
    return { written: changed.write };
  });
}
