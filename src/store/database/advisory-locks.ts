/**
 * Advisory locks of a session, in one place so that no two are the same. A key has two halves, "ats" in ASCII
 * and what it is for; that of migrations is one number, which is never taken for one of two halves.
 */
export const LOCK_CLASS = 0x61_74_73;
/** Of the first slot of projects; the others follow from LOCK_DETECTION_FURTHER on (project-share.ts). */
export const LOCK_DETECTION = 1;
export const LOCK_DETECTION_FURTHER = 0x100;
export const LOCK_UPKEEP = 2;
export const LOCK_MIGRATION = LOCK_CLASS;
