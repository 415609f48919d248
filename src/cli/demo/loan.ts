import type { Sql } from "../../store/database/connect.ts";
import { type CreatedKey, createKey, revokeKey } from "../../store/projects/keys.ts";
import { type AdminResult, findProject, type Project, updateProject } from "../../store/projects/projects.ts";

/**
 * What the demo has of a project while it sends: two keys, and room for all of it in the bucket. Invariant:
 * both end with it, whether it succeeds, fails or is interrupted, and what somebody else sets meanwhile
 * stands. A process that is killed cannot give back: how to do it by hand is told beforehand.
 */

/** Enough for 20,000 runs in a minute. */
const BURST = 50_000;
const PER_SECOND = 20_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

interface Lender {
  readonly sql: Sql;
  readonly project: Project;
  readonly note: (text: string) => void;
}

/** Does `work` with the two keys. A second signal while it gives back ends the process as ever. */
export async function withLoan<T>(
  lender: Lender,
  work: (keys: readonly [string, string]) => Promise<T>,
): Promise<AdminResult<T>> {
  const { sql, project, note } = lender;
  const interrupted = Promise.withResolvers<never>();
  // It may come before anything waits for it.
  interrupted.promise.catch(() => {});
  const interrupt = (signal: NodeJS.Signals) =>
    interrupted.reject(new Interrupted(`Interrupted by ${signal}`));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const keys: CreatedKey[] = [];
  const mint = async (name: string): Promise<AdminResult<CreatedKey>> => {
    const key = await createKey(sql, { projectId: project.id, name });
    if (key.ok) keys.push(key.value);
    return key;
  };
  try {
    const first = await mint("demo: production agents");
    if (!first.ok) return first;
    const second = await mint("demo: CI and simulation");
    if (!second.ok) return second;
    note(termsOf(project, keys));
    await updateProject(sql, project.id, raised(project));
    return {
      ok: true,
      value: await Promise.race([work([first.value.key, second.value.key]), interrupted.promise]),
    };
  } finally {
    await giveBack(lender, keys);
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** Raised where they are too low and never lowered. */
function raised(project: Project): { readonly rateBurst: number; readonly ratePerSecond: number } {
  return {
    rateBurst: Math.max(BURST, project.rate_burst),
    ratePerSecond: Math.max(PER_SECOND, project.rate_per_second),
  };
}

function termsOf({ id, name, ...was }: Project, keys: readonly CreatedKey[]): string {
  const limits = `--rate-burst ${was.rate_burst} --rate-per-second ${was.rate_per_second}`;
  return (
    `Until all is sent, project ${name} (${id}) has two keys more and limits of ${BURST} and ${PER_SECOND} a second at least. ` +
    `Should this be killed, undo it by: project update ${id} ${limits}${keys.map((key) => `; key revoke ${key.id}`).join("")}`
  );
}

async function giveBack({ sql, project, note }: Lender, keys: readonly CreatedKey[]): Promise<void> {
  for (const key of keys) await revokeKey(sql, key.id);
  const lent = raised(project);
  const now = await findProject(sql, project.id);
  await updateProject(sql, project.id, {
    rateBurst: now?.rate_burst === lent.rateBurst ? project.rate_burst : undefined,
    ratePerSecond: now?.rate_per_second === lent.ratePerSecond ? project.rate_per_second : undefined,
  });
  note("The keys are revoked, and the limits are what they were.");
}
