import { useEffect, useState } from "react";
import { useMember } from "./session.ts";

/**
 * What was typed and not saved when a session ended. The page is left then, so that nothing of what a member
 * saw stays in it; the drafts of its forms go through the tab's own storage and are there again for the same
 * member after the sign-in. Invariant: nothing is written there before the page is left, and what is read is
 * taken out.
 */

interface KeptDraft {
  readonly memberId: string;
  readonly draft: unknown;
}

const STORED_AS = "ats-kept-drafts";
/** Of the forms on the page, by their key. */
const unsaved = new Map<string, KeptDraft>();

/** Called as the page is left for the sign-in. */
export function keepDrafts(): void {
  store(Object.fromEntries(unsaved));
}

/** For who leaves of their own accord. */
export function forgetDrafts(): void {
  unsaved.clear();
  store({});
}

/** Whether a form on the page would lose something. */
export function hasUnsavedDrafts(): boolean {
  return unsaved.size > 0;
}

export function hasKeptDrafts(): boolean {
  return Object.keys(stored()).length > 0;
}

/**
 * The draft of this form that was kept when the session ended, on its first render; null when there is none,
 * or it is another member's.
 */
export function useKeptDraft<Draft>(key: string): Draft | null {
  const { id } = useMember();
  const [found] = useState(() => stored()[key]);
  useEffect(() => {
    const { [key]: taken, ...others } = stored();
    if (taken !== undefined) store(others);
  }, [key]);
  return found?.memberId === id ? (found.draft as Draft) : null;
}

/** Keeps the draft of this form should the session end; null while there is nothing to keep. */
export function useUnsavedDraft(key: string, draft: unknown): void {
  const { id: memberId } = useMember();
  useEffect(() => {
    if (draft === null) return;
    unsaved.set(key, { memberId, draft });
    return () => void unsaved.delete(key);
  }, [key, memberId, draft]);
}

function stored(): Readonly<Record<string, KeptDraft>> {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS) ?? "{}");
  } catch {
    // A browser that keeps nothing.
    return {};
  }
}

function store(drafts: Readonly<Record<string, KeptDraft>>): void {
  try {
    if (Object.keys(drafts).length === 0) sessionStorage.removeItem(STORED_AS);
    else sessionStorage.setItem(STORED_AS, JSON.stringify(drafts));
  } catch {
    // Nor takes anything.
  }
}
