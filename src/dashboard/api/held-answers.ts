/**
 * For what everybody in a project is shown alike and may be some seconds old: read once for all who ask
 * within that time, those who ask while it is read included. Invariants: an answer is never older than
 * `heldMs`, counted from when its read began; a failure is told to those who wait for it and is not kept; at
 * most `keysMax` answers are held, the oldest goes first. What a person changes and then looks at does not
 * belong here, nor does anything that depends on who asks.
 */
export interface HeldAnswerOptions {
  readonly heldMs: number;
  readonly keysMax: number;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
}

export function heldAnswers<Key, Answer>({ heldMs, keysMax, now }: HeldAnswerOptions) {
  const held = new Map<Key, { readonly untilMs: number; readonly answer: Promise<Answer> }>();
  return (key: Key, read: () => Promise<Answer>): Promise<Answer> => {
    const nowMs = now();
    const known = held.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known.answer;
    const answer = read();
    // Last in the map: the one that was read last.
    held.delete(key);
    held.set(key, { untilMs: nowMs + heldMs, answer });
    answer.catch(() => {
      if (held.get(key)?.answer === answer) held.delete(key);
    });
    for (const oldest of held.keys()) {
      if (held.size <= keysMax) break;
      held.delete(oldest);
    }
    return answer;
  };
}
