import type { Statements } from "../database/connect.ts";

/**
 * Which projects a detection thread looks after. Projects fall into SLOTS by their number, and of K threads
 * the i-th has every slot s with s mod K = i. Whoever detects a slot's projects holds the slot's lock, so
 * processes that run different numbers of threads on one database never share a project.
 */

export interface ProjectShare {
  /** From 0. */
  readonly index: number;
  /** Number of shares. */
  readonly of: number;
}

export const SLOTS = 16;
export const ALL_PROJECTS: ProjectShare = { index: 0, of: 1 };

const slotOf = (projectNo: number) => projectNo % SLOTS;

/** The index of the share that the project is in, of that many. */
export function shareOf(projectNo: number, of: number): number {
  return slotOf(projectNo) % of;
}

export function isInShare({ index, of }: ProjectShare, projectNo: number): boolean {
  return shareOf(projectNo, of) === index;
}

export function slotsOf({ index, of }: ProjectShare): readonly number[] {
  return Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => slot % of === index);
}

/**
 * `isInShare` of the column `project_no` of the one relation that has it, to stand behind other conditions.
 */
export function andInShare(sql: Statements, share: ProjectShare) {
  return share.of === 1
    ? sql``
    : sql`and project_no % ${SLOTS}::int = any(${slotsOf(share) as number[]}::int[])`;
}
