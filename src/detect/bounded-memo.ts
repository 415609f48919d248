/**
 * A pure function of a text whose answers are kept: for names and codes, of which a fleet has few and sends them in every
 * event. At most `entriesMax` short texts; a full memo starts anew, so what it holds stays what is being asked.
 */
const TEXT_CHARS_MAX = 200;

export function memoised<Answer>(
  work: (text: string) => Answer,
  entriesMax: number,
): (text: string) => Answer {
  const known = new Map<string, { readonly answer: Answer }>();
  return (text) => {
    if (text.length > TEXT_CHARS_MAX) return work(text);
    const entry = known.get(text);
    if (entry !== undefined) return entry.answer;
    const answer = work(text);
    if (known.size >= entriesMax) known.clear();
    known.set(text, { answer });
    return answer;
  };
}
