import type { Statements } from "../database/connect.ts";

/**
 * An invitation that expired is shown for a while, so that whoever invited sees why the link does not work.
 */
const EXPIRED_INVITATION_DAYS = 30;

/**
 * Takes away what has expired: nothing of it is believed any more, so when this happens does not matter.
 * Returns how many rows.
 */
export async function deleteExpired(sql: Statements): Promise<number> {
  const deleted = [
    await sql`delete from ats.session where expires_at <= now()`,
    await sql`delete from ats.verification where expires_at <= now()`,
    await sql`delete from ats.account_link where expires_at <= now()`,
    await sql`
      delete from ats.invitation where expires_at <= now() - make_interval(days => ${EXPIRED_INVITATION_DAYS})`,
  ];
  return deleted.reduce((sum, { count }) => sum + count, 0);
}
