import type { Statements } from "../database/connect.ts";
import { randomBase32 } from "../random-id.ts";
import { ALERT_SCOPES, type AlertScope, NAME_CHARS_MAX, PROJECT_RANGES } from "./project-bounds.ts";

/**
 * Administration of projects: a handful of statements a day, so clarity before speed. What an operator typed
 * is checked here and answered as a value; the table's own checks are the second line. A change reaches every
 * running service through the directory version, which a trigger bumps.
 */

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly rate_burst: number;
  readonly rate_per_second: number;
  readonly cooldown_seconds: number;
  readonly alert_scope: AlertScope;
  /** null: kept for ever. */
  readonly retention_days: number | null;
  readonly created_at: Date;
}

export interface ProjectInput {
  readonly name?: string | undefined;
  readonly rateBurst?: number | undefined;
  readonly ratePerSecond?: number | undefined;
  readonly cooldownSeconds?: number | undefined;
  readonly alertScope?: string | undefined;
  /** null: for ever. */
  readonly retentionDays?: number | null | undefined;
}

export type AdminResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly reason: "invalid" | "not_found";
      readonly detail: string;
      /** Of what was refused, the field at fault, where it is one. */
      readonly field?: string;
    };

export function invalid(
  detail: string,
  field?: string,
): { ok: false; reason: "invalid"; detail: string; field?: string } {
  return { ok: false, reason: "invalid", detail, field };
}

export function notFound(what: string, id: string): { ok: false; reason: "not_found"; detail: string } {
  return {
    ok: false,
    reason: "not_found",
    detail: `No ${what} with the id ${JSON.stringify(id.slice(0, 80))}`,
  };
}

/** Names are shown in tables and in chat messages: one line, nothing invisible. */
export function nameProblem(name: string): string | null {
  if (name.trim() === "" || [...name].length > NAME_CHARS_MAX)
    return `a name has 1 to ${NAME_CHARS_MAX} characters`;
  return holdsControlCharacters(name) ? "a name holds no control characters" : null;
}

/** Or half a surrogate pair: what a terminal, a table or PostgreSQL would not show as it was given. */
export function holdsControlCharacters(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return /[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/.test(
    text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""),
  );
}

function problemOf(input: ProjectInput): ReturnType<typeof invalid> | null {
  const range = (key: keyof typeof PROJECT_RANGES, field: string, label: string) => {
    const value = input[key];
    const { min, max } = PROJECT_RANGES[key];
    return value !== undefined && value !== null && !(Number.isInteger(value) && value >= min && value <= max)
      ? invalid(`${label} is an integer from ${min} to ${max}`, field)
      : null;
  };
  const nameDetail = input.name === undefined ? null : nameProblem(input.name);
  return (
    (nameDetail === null ? null : invalid(nameDetail, "name")) ??
    range("rateBurst", "rate_burst", "the rate burst") ??
    range("ratePerSecond", "rate_per_second", "the rate per second") ??
    range("cooldownSeconds", "cooldown_seconds", "the cooldown") ??
    range("retentionDays", "retention_days", "the retention in days") ??
    (input.alertScope !== undefined && !ALERT_SCOPES.some((scope) => scope === input.alertScope)
      ? invalid(`the alert scope is one of ${ALERT_SCOPES.join(", ")}`, "alert_scope")
      : null)
  );
}

export async function createProject(
  sql: Statements,
  input: ProjectInput & { readonly name: string },
): Promise<AdminResult<Project>> {
  const problem = problemOf(input);
  if (problem !== null) return problem;
  const row = { project_id: `proj_${randomBase32(20)}`, ...columnsOf(input) };
  const [created] = await sql<[Project]>`insert into ats.project ${sql(row)} returning ${fields(sql)}`;
  return { ok: true, value: created };
}

export async function updateProject(
  sql: Statements,
  id: string,
  input: ProjectInput,
): Promise<AdminResult<Project>> {
  const problem = problemOf(input);
  if (problem !== null) return problem;
  const columns = columnsOf(input);
  if (Object.keys(columns).length === 0) return invalid("nothing to change was named");
  const [updated] = await sql<Project[]>`
    update ats.project set ${sql(columns)} where project_id = ${id} returning ${fields(sql)}`;
  return updated === undefined ? notFound("project", id) : { ok: true, value: updated };
}

export async function listProjects(sql: Statements): Promise<Project[]> {
  return await sql<Project[]>`select ${fields(sql)} from ats.project order by project_no`;
}

export async function findProject(sql: Statements, id: string): Promise<Project | null> {
  const [found] = await sql<Project[]>`select ${fields(sql)} from ats.project where project_id = ${id}`;
  return found ?? null;
}

export async function findProjectNo(sql: Statements, id: string): Promise<number | null> {
  // PostgreSQL takes no text with U+0000, and no project has one in its id.
  if (id.includes("\0")) return null;
  const [row] = await sql<
    { project_no: number }[]
  >`select project_no from ats.project where project_id = ${id}`;
  return row?.project_no ?? null;
}

export async function anyProject(sql: Statements): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`select exists (select from ats.project) as found`;
  return row.found;
}

function fields(sql: Statements) {
  return sql`project_id as id, name, rate_burst, rate_per_second, cooldown_seconds, alert_scope,
    retention_days, created_at`;
}

function columnsOf(input: ProjectInput): Record<string, string | number | null> {
  const columns: Record<string, string | number | null | undefined> = {
    name: input.name,
    rate_burst: input.rateBurst,
    rate_per_second: input.ratePerSecond,
    cooldown_seconds: input.cooldownSeconds,
    alert_scope: input.alertScope,
    retention_days: input.retentionDays,
  };
  const given: Record<string, string | number | null> = {};
  for (const [name, value] of Object.entries(columns)) if (value !== undefined) given[name] = value;
  return given;
}
