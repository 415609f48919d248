import type { ExecutionPosition } from "../../store/dashboard/executions.ts";
import type { EventPosition } from "../../store/dashboard/executions-events.ts";
import { timeOf } from "../../store/given-time.ts";

/** Places in the lists of executions and events, as opaque texts. What is not one of ours reads as null. */

const encode = (parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

function decode(cursor: string, length: number): unknown[] | null {
  if (!/^[\w-]{1,1024}$/.test(cursor)) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parts) && parts.length === length ? parts : null;
  } catch {
    return null;
  }
}

/** What PostgreSQL takes for a moment, written to the microsecond. */
export const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^.{10}T.{8}\.\d{6}Z$/.test(value) && timeOf(value) !== null;

const isCount = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= max;

export const executionCursor = ({ startedAt, executionNo }: ExecutionPosition, newestFirst: boolean) =>
  encode([startedAt, executionNo, newestFirst ? 1 : 0]);

/** A cursor belongs to the order that it was made in. */
export function readExecutionCursor(cursor: string, newestFirst: boolean): ExecutionPosition | null {
  const [startedAt, executionNo, order] = decode(cursor, 3) ?? [];
  if (!isMoment(startedAt) || !isCount(executionNo, Number.MAX_SAFE_INTEGER)) return null;
  return order === (newestFirst ? 1 : 0) ? { startedAt, executionNo } : null;
}

export const eventCursor = ({ sequence, timestamp, eventId }: EventPosition) =>
  encode([sequence, timestamp, eventId]);

export function readEventCursor(cursor: string): EventPosition | null {
  const [sequence, timestamp, eventId] = decode(cursor, 3) ?? [];
  if (!isCount(sequence, 2_147_483_647) || !isMoment(timestamp)) return null;
  return typeof eventId === "string" && eventId.length <= 256 && !eventId.includes("\u0000")
    ? { sequence, timestamp, eventId }
    : null;
}
